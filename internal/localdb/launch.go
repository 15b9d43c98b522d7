package localdb

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// javaArguments returns the command line of the server, apart from java itself.
func javaArguments(o Options, java Java, vector bool) []string {
	i, d := install{o.CacheDir}, data{o.DataDir}
	arguments := []string{
		fmt.Sprintf("-Xmx%dm", o.HeapMB),
		"-XX:+UseG1GC",
		"-XX:+ExitOnOutOfMemoryError",
		"-Dfile.encoding=UTF-8",
		"-Dlog4j2.disable.jmx=true",
		"-Dio.netty.tryReflectionSetAccessible=true",
		"--enable-native-access=ALL-UNNAMED",
		// The first run that stops cleanly leaves its classes in a form that loads
		// faster (up to 140 MB): measured on two busy cores, a start then takes 7 s instead
		// of 12; the stop that writes it, 8 s instead of 2. Java makes the archive
		// anew by itself when it does not fit.
		"-XX:+AutoCreateSharedArchive",
		"-XX:SharedArchiveFile=" + i.classes(),
		"-Xlog:disable", // what Java has to say about that archive
	}
	for _, name := range []string{"java.nio", "java.io", "sun.nio.ch", "java.util.concurrent"} {
		arguments = append(arguments, "--add-opens=java.base/"+name+"=ALL-UNNAMED")
	}
	if java.Major >= 23 { // where the option appeared
		arguments = append(arguments, "--sun-misc-unsafe-memory-access=allow")
	}
	if vector {
		arguments = append(arguments, "--add-modules="+vectorModule)
	}
	// No folder that holds other files than jars: it would prevent the archive.
	classes := []string{filepath.Join(i.plugins(), "*"), filepath.Join(i.lib(), "*")}
	return append(arguments,
		"-cp", strings.Join(classes, string(filepath.ListSeparator)),
		"org.neo4j.server.Neo4jCommunity",
		"--home-dir="+o.DataDir, "--config-dir="+d.conf(), "--console-mode")
}

// serverEnv is the environment of the server: what a JVM needs, and none of
// the caller's keys.
func serverEnv(o Options) []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"} {
		if value := o.Env(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// launch starts the server and records it, with the news that it has to
// recover first. The channel is closed when the server ends.
func launch(ctx context.Context, o Options, java Java, p ports, unclean bool) (*server, <-chan struct{}, error) {
	d := data{o.DataDir}
	if err := writeConfig(o, p); err != nil {
		return nil, nil, err
	}
	if err := dropCutArchive(install{o.CacheDir}.classes()); err != nil {
		return nil, nil, err
	}
	console, err := rotateConsole(d)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = console.Close() }()

	// Not CommandContext: the server outlives the call, and the caller.
	cmd := exec.Command(java.Path, javaArguments(o, java, hasVectorModule(ctx, java))...)
	cmd.Dir, cmd.Env = o.DataDir, serverEnv(o)
	cmd.Stdout, cmd.Stderr = console, console
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, nil, newError(CodeStart, err, "%s could not be run", java.Path)
	}
	started, _ := processStart(cmd.Process.Pid) // still there, if only as a zombie: Wait comes later
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // why it ended is told by the log
		close(ended)
	}()
	s := &server{PID: cmd.Process.Pid, Started: started, Version: Version, Unclean: unclean, ports: p}
	if err := writeJSON(d.server(), s); err != nil {
		_ = kill(s.PID)
		return nil, nil, err
	}
	return s, ended, nil
}
