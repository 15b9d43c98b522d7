//go:build linux || darwin

package localdb

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// detach puts a child into a session of its own, so that neither Ctrl-C nor a
// closed terminal reaches it and its whole group can be signalled.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// processStart returns a token for the moment at which the process began, and
// false if there is no such process, or only its remains.
func processStart(pid int) (string, bool) {
	if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		return procStart(stat)
	}
	if _, err := os.Stat("/proc/self/stat"); err == nil {
		return "", false
	}
	output, err := exec.Command("ps", "-o", "state=,lstart=", "-p", strconv.Itoa(pid)).Output()
	fields := strings.Fields(string(output))
	if err != nil || len(fields) < 2 || strings.HasPrefix(fields[0], "Z") {
		return "", false
	}
	return strings.Join(fields[1:], " "), true
}

// procStart reads the state (field 3) and the start time in clock ticks since
// boot (field 22) of /proc/PID/stat; field 2, the name, may hold anything.
func procStart(stat []byte) (string, bool) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return "", false
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // ticks begin anew with each boot
	return strings.TrimSpace(string(boot)) + "/" + string(fields[19]), true
}

// terminate asks the process to end.
func terminate(pid int) error { return signalled(syscall.Kill(pid, syscall.SIGTERM)) }

// kill ends the process and all it started at once.
func kill(pid int) error { return signalled(syscall.Kill(-pid, syscall.SIGKILL)) }

// signalled drops the error that means the process has ended already.
func signalled(err error) error {
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

// processOn returns the process that has the data folder as its Neo4j home, or
// zero. It is for messages only.
func processOn(dir string) int {
	output, err := exec.Command("ps", "-axww", "-o", "pid=,args=").Output()
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(output)) {
		fields := strings.Fields(line)
		if len(fields) > 1 && strings.Contains(line, "--home-dir="+dir+" ") {
			pid, _ := strconv.Atoi(fields[0])
			return pid
		}
	}
	return 0
}

// freeBytes returns the space that is left on the disk of a folder.
func freeBytes(folder string) (uint64, bool) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return 0, false
	}
	return stat.Bavail * uint64(stat.Bsize), true
}
