package localdb

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// MinimumJava is the oldest major version that Neo4j 2026 runs on.
const MinimumJava = 21

// Java is a runtime that can run the server.
type Java struct {
	Path  string // the java executable
	Major int    // 21, 25, …
}

// Home is the folder to point JAVA_HOME to.
func (j Java) Home() string { return filepath.Dir(filepath.Dir(j.Path)) }

// jvmFolders are the places where JVMs are installed, as patterns of homes.
func jvmFolders(env func(string) string) []string {
	folders := []string{
		"/usr/lib/jvm/*",
		"/Library/Java/JavaVirtualMachines/*/Contents/Home",
		"/opt/homebrew/opt/openjdk*",
		"/usr/local/opt/openjdk*",
		"/opt/java/*",
		"/opt/jdk*",
	}
	if home := env("HOME"); home != "" {
		folders = append(folders,
			filepath.Join(home, ".sdkman/candidates/java/*"),
			filepath.Join(home, "Library/Java/JavaVirtualMachines/*/Contents/Home"),
			filepath.Join(home, ".jdks/*"))
	}
	return folders
}

// findJava returns the first Java of MinimumJava or newer: JAVA_HOME, then
// PATH, then the newest of the JVM folders. It reports false if there is none;
// older ones on the way are passed over.
func findJava(ctx context.Context, o Options) (Java, bool) {
	var first []string
	if home := o.Env("JAVA_HOME"); home != "" {
		first = append(first, filepath.Join(home, "bin", "java"))
	}
	first = append(first, onPath(o.Env, "java")...)
	for _, path := range first {
		if java, ok := probeJava(ctx, path); ok && java.Major >= MinimumJava {
			return java, true
		}
	}

	folders := o.JVMFolders
	if folders == nil {
		folders = jvmFolders(o.Env)
	}
	var found []Java
	for _, pattern := range folders {
		homes, _ := filepath.Glob(pattern) // fails on a bad pattern only, which matches nothing
		for _, home := range homes {
			if java, ok := probeJava(ctx, filepath.Join(home, "bin", "java")); ok && java.Major >= MinimumJava {
				found = append(found, java)
			}
		}
	}
	if len(found) == 0 {
		return Java{}, false
	}
	return slices.MaxFunc(found, func(a, b Java) int { return a.Major - b.Major }), true
}

// onPath returns the executables of that name in the folders of PATH, in order.
func onPath(env func(string) string, name string) []string {
	var found []string
	for _, folder := range filepath.SplitList(env("PATH")) {
		if path := filepath.Join(folder, name); folder != "" && executable(path) {
			found = append(found, path)
		}
	}
	return found
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

var (
	releaseVersion = regexp.MustCompile(`(?m)^JAVA_VERSION="([^"]+)"`)
	printedVersion = regexp.MustCompile(`version "([^"]+)"`)
)

// probeJava finds out the version of the java at path: from the file "release"
// of its home, which costs nothing, else by running it.
func probeJava(ctx context.Context, path string) (Java, bool) {
	if !executable(path) {
		return Java{}, false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Java{}, false
	}
	release, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(real)), "release"))
	if err == nil {
		if m := releaseVersion.FindSubmatch(release); m != nil {
			return Java{Path: real, Major: majorVersion(string(m[1]))}, true
		}
	}
	// Not the resolved path: version managers put one program behind many names.
	output, err := exec.CommandContext(ctx, path, "-version").CombinedOutput()
	if m := printedVersion.FindSubmatch(output); err == nil && m != nil {
		return Java{Path: path, Major: majorVersion(string(m[1]))}, true
	}
	return Java{}, false
}

// majorVersion reads "25.0.3", "26-ea" and the old "1.8.0_402"; zero if it is
// none of them.
func majorVersion(version string) int {
	version = strings.TrimPrefix(version, "1.")
	end := strings.IndexFunc(version, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		version = version[:end]
	}
	major, err := strconv.Atoi(version)
	if err != nil {
		return 0
	}
	return major
}

// hasVectorModule reports whether java can be started with the SIMD vector
// module, which Lucene uses and small runtimes lack.
func hasVectorModule(ctx context.Context, java Java) bool {
	output, err := exec.CommandContext(ctx, java.Path, "--list-modules").Output()
	return err == nil && strings.Contains(string(output), vectorModule)
}

const vectorModule = "jdk.incubator.vector"
