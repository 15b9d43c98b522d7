//go:build linux || darwin

package localdb

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// procStart reads the state (field 3), the number of threads (20) and the start
// time in clock ticks since boot (22) of /proc/PID/stat; field 2, the name, may
// hold anything. A zombie with more threads than its first is a process that was
// killed and still holds its ports and locks.
func procStart(stat []byte) (string, bool) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return "", false
	}
	state, threads := fields[0][0], string(fields[17])
	if state == 'X' || state == 'Z' && (threads == "0" || threads == "1") {
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

// processOn returns a server that has the data folder as its home, or zero.
func processOn(dir string) int {
	argument := "--home-dir=" + dir
	if files, _ := filepath.Glob("/proc/[0-9]*/cmdline"); len(files) > 0 {
		for _, file := range files {
			line, _ := os.ReadFile(file) // gone in the meantime, or another user's
			if slices.Contains(strings.Split(string(line), "\x00"), argument) {
				pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
				return pid
			}
		}
		return 0
	}
	output, _ := exec.Command("ps", "-axww", "-o", "pid=,args=").Output()
	for line := range strings.Lines(string(output)) {
		if strings.Contains(line, argument+" ") {
			pid, _ := strconv.Atoi(strings.Fields(line)[0])
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
