package localdb

import (
	"io"
	"os"
	"strings"
)

// symptoms are phrases of Java, Neo4j, Maven and pip and what they mean, the
// telling ones first: a full disk makes many other things fail.
var symptoms = []struct {
	phrase  string
	code    Code
	message string
}{
	{"No space left on device", CodeDiskFull, "the disk is full: free some space and try again"},
	{"Disk quota exceeded", CodeDiskFull, "the disk quota is used up: free some space and try again"},
	{"PortBindException", CodePortTaken, "a port is in use by another program: try again"},
	{"FileLockException", CodeStoreLocked, "the store is in use by another server, perhaps in a container or on another machine: stop that one first"},
	{"exceeds physical memory", CodeMemory, "heap and page cache are larger than this machine's memory: lower them"},
	{"There is insufficient memory", CodeMemory, "not enough memory for Java: free some, or lower the heap"},
	{"Could not reserve enough space", CodeMemory, "not enough memory for the Java heap: free some, or lower the heap"},
	{"Too small maximum heap", CodeMemory, "the Java heap is too small: raise it"},
	{"java.lang.OutOfMemoryError", CodeMemory, "the server ran out of memory: raise the heap"},
	{"Unrecognized setting", CodeConfig, "Neo4j does not know a setting of its configuration"},
	{"Error evaluating value for setting", CodeConfig, "Neo4j refused a setting of its configuration"},
	{"UnsupportedClassVersionError", CodeNoJava, "the Java that was found is too old for Neo4j"},
	{"Read-only file system", CodeFolder, "the folder is on a read-only file system: choose another"},
	{"AccessDeniedException", CodeFolder, "no right to use a file of the folder: change its owner or mode"},
	{"Permission denied", CodeFolder, "no right to use a file of the folder: change its owner or mode"},
}

// diagnose looks in text for a reason that can be named, and returns otherwise
// if there is none.
func diagnose(text, logFile string, otherwise *Error) *Error {
	for _, symptom := range symptoms {
		if strings.Contains(text, symptom.phrase) {
			return &Error{Code: symptom.code, Message: symptom.message, LogFile: logFile, Err: otherwise.Err}
		}
	}
	otherwise.LogFile = logFile
	return otherwise
}

// startFailure explains why a server ended before it answered.
func startFailure(o Options, s *server) *Error {
	if now, err := readServer(data{o.DataDir}); err == nil && now != nil && now.PID == s.PID && now.Stopping {
		return newError(CodeStart, nil, "the database was stopped by another process while it was starting")
	}
	path := data{o.DataDir}.console()
	text := tail(path)
	return diagnose(text, path, newError(CodeStart, nil, "the server ended while starting: %s", telling(text)))
}

// hopeless returns the reason for which a server that still lives will never
// answer, or nil. On a full disk Neo4j logs so and waits for ever.
func hopeless(o Options) error {
	path := data{o.DataDir}.console()
	text := tail(path)
	if failure := diagnose(text, path, newError(CodeStart, nil, "")); failure.Code == CodeDiskFull {
		return failure
	}
	return nil
}

// telling picks the last line of a log that speaks of an error.
func telling(text string) string {
	var found string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "Caused by:") || strings.HasPrefix(line, "Exception in") ||
			strings.HasPrefix(line, "Error") || strings.Contains(line, " ERROR ") {
			found = line
		}
	}
	if found == "" {
		found = lastLine(text)
	}
	if found == "" {
		found = "it left no message"
	}
	return found
}

// tail returns the last 64 KiB of a file, or nothing if it cannot be read.
func tail(path string) string {
	const size = 64 << 10
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err == nil && info.Size() > size {
		_, _ = file.Seek(-size, io.SeekEnd)
	}
	content, _ := io.ReadAll(file)
	return string(content)
}

// lastLine returns the last line of text that is not blank.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
