package localdb

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// readPassword returns the content of a password file.
func readPassword(path string) (string, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", newError(CodePassword, err, "the password file %s is missing: put it back, or move the data folder away to begin with an empty database", path)
	}
	if err != nil {
		return "", folderError(path, err)
	}
	password := strings.TrimSpace(string(content))
	if password == "" {
		return "", newError(CodePassword, nil, "the password file %s is empty: write the password of user %s into it", path, User)
	}
	return password, nil
}

// settlePassword makes sure that a password is set before the very first start
// of a store, and is there to be read before any other.
func settlePassword(ctx context.Context, o Options, java Java) error {
	d := data{o.DataDir}
	_, err := os.Stat(d.system())
	if err == nil {
		_, err = readPassword(d.password())
		return err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return folderError(d.system(), err)
	}
	// The store was never started, so whatever an interrupted attempt left
	// behind can be made again. 26 characters of base32 are 130 random bits.
	password := rand.Text()
	if err := writeFile(d.password(), []byte(password+"\n")); err != nil {
		return err
	}
	if err := os.Remove(d.auth()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return folderError(d.auth(), err)
	}
	return setInitialPassword(ctx, o, java, password)
}

// setInitialPassword runs Neo4j's own tool. The password goes in a file of
// arguments, so that the list of processes never shows it.
func setInitialPassword(ctx context.Context, o Options, java Java, password string) error {
	arguments := filepath.Join(o.DataDir, "run", "initial-password")
	defer func() { _ = os.Remove(arguments) }()
	if err := writeFile(arguments, []byte("dbms\nset-initial-password\n"+password+"\n")); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, java.Path, "-Xmx128m", "-XX:TieredStopAtLevel=1",
		"-cp", filepath.Join(install{o.CacheDir}.lib(), "*"), "org.neo4j.cli.AdminTool", "@"+arguments)
	cmd.Env = append(serverEnv(o), "NEO4J_HOME="+o.DataDir, "NEO4J_CONF="+data{o.DataDir}.conf())
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		text := strings.ReplaceAll(string(output), password, "***")
		return diagnose(text, "", newError(CodePassword, err, "the initial password could not be set: %s", lastLine(text)))
	}
	return nil
}
