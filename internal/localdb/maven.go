package localdb

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// copyGoal is Maven's goal that puts the jars of a pom and all they depend on
// into one folder, with its version pinned.
const copyGoal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

const mavenAdvice = "install Maven: apt-get install maven / brew install maven, " +
	"or set RELATA_NEO4J_URI to an existing database"

// findMaven looks in MAVEN_HOME, M2_HOME and PATH.
func findMaven(env func(string) string) (string, bool) {
	for _, name := range []string{"MAVEN_HOME", "M2_HOME"} {
		if home := env(name); home != "" {
			if path := filepath.Join(home, "bin", "mvn"); executable(path) {
				return path, true
			}
		}
	}
	if found := onPath(env, "mvn"); len(found) > 0 {
		return found[0], true
	}
	return "", false
}

// ensureMaven returns Maven's path. Where there is none it is installed if that
// asks nobody's leave: as root, with apt-get.
func ensureMaven(ctx context.Context, o Options) (string, error) {
	if path, ok := findMaven(o.Env); ok {
		return path, nil
	}
	apt := onPath(o.Env, "apt-get")
	if os.Geteuid() != 0 || len(apt) == 0 {
		return "", newError(CodeNoMaven, nil, "Maven, which downloads Neo4j, was not found: %s", mavenAdvice)
	}
	o.Progress("Maven not found, installing it with apt-get, once")
	output, err := aptInstall(ctx, apt[0], "maven")
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if path, ok := findMaven(o.Env); ok {
		return path, nil
	}
	return "", diagnose(output, "", newError(CodeNoMaven, err, "Maven, which downloads Neo4j, was not found and apt-get did not install it (%s): %s",
		lastLine(output), mavenAdvice))
}

// aptInstall installs a package, with a fresh package list if the one at hand
// does not do.
func aptInstall(ctx context.Context, apt, name string) (string, error) {
	run := func(arguments ...string) (string, error) {
		cmd := exec.CommandContext(ctx, apt, arguments...)
		cmd.Env = append(cmd.Environ(), "DEBIAN_FRONTEND=noninteractive")
		output, err := cmd.CombinedOutput()
		return string(output), err
	}
	output, err := run("install", "-y", "--no-install-recommends", name)
	if err == nil {
		return output, nil
	}
	if output, err = run("update"); err != nil {
		return output, err
	}
	return run("install", "-y", "--no-install-recommends", name)
}

// copyJars lets Maven put the jars of pom into folder.
func copyJars(ctx context.Context, o Options, java Java, pom, folder string) error {
	mvn, err := ensureMaven(ctx, o)
	if err != nil {
		return err
	}
	o.Progress("downloading Neo4j " + Version + " (136 MB), once")
	cmd := exec.CommandContext(ctx, mvn, "--batch-mode", "--file", pom, copyGoal,
		"-DincludeScope=runtime", "-DoutputDirectory="+folder)
	cmd.Dir = filepath.Dir(pom)
	cmd.Env = cmd.Environ() // Maven's own variables, proxies
	if needsJava(o.Env) {
		cmd.Env = append(cmd.Env, "JAVA_HOME="+java.Home())
		// A fetched runtime knows only the public authorities, the machine's store
		// also those that its administrator added.
		for _, path := range []string{"/etc/ssl/certs/java/cacerts", "/etc/pki/java/cacerts"} {
			if isFile(path) {
				cmd.Args = append(cmd.Args, "-Djavax.net.ssl.trustStore="+path)
				break
			}
		}
	}
	output, writer := io.Pipe()
	cmd.Stdout, cmd.Stderr = writer, writer
	var text strings.Builder
	done := make(chan struct{})
	go func() {
		defer close(done)
		readMaven(output, &text, o.Progress)
	}()
	err = cmd.Run()
	_ = writer.Close()
	<-done
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return diagnose(text.String(), "", newError(CodeInstall, err, "Maven could not download Neo4j %s: %s: check the network and Maven's settings, then try again",
			Version, mavenReason(text.String())))
	}
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// needsJava reports whether Maven would find no Java by itself: it takes
// JAVA_HOME, right or wrong, before it looks in PATH. Any version will do.
func needsJava(env func(string) string) bool {
	if home := env("JAVA_HOME"); home != "" {
		return !executable(filepath.Join(home, "bin", "java"))
	}
	return len(onPath(env, "java")) == 0
}

// readMaven keeps what Maven says that is no chatter and reports how many
// jars came.
func readMaven(output io.Reader, text *strings.Builder, progress func(string)) {
	jars := 0
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.Contains(line, "Downloaded from"):
			if strings.Contains(line, ".jar ") {
				if jars++; jars%50 == 0 {
					progress(fmt.Sprintf("downloading Neo4j %s: %d of about 250 files", Version, jars))
				}
			}
		case strings.Contains(line, "Downloading from"), strings.HasPrefix(line, "Progress"):
		default:
			text.WriteString(line + "\n")
		}
	}
	_, _ = io.Copy(io.Discard, output) // a line that was too long must not block Maven
}

// mavenReason returns the first error that Maven printed, without its tag.
func mavenReason(text string) string {
	for line := range strings.Lines(text) {
		if reason, found := strings.CutPrefix(strings.TrimSpace(line), "[ERROR] "); found {
			reason, _, _ = strings.Cut(reason, " -> [Help")
			return reason
		}
	}
	return lastLine(text)
}
