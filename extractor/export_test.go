package extractor

// Waiting counts the batches that stand in line behind the one of a session that
// is being read.
func Waiting(e *Extractor, space, session string) int {
	e.line.mu.Lock()
	defer e.line.mu.Unlock()
	return len(e.line.lines[space+"\x00"+session])
}

// Cut is cut.
func Cut(s string, n int) string { return cut(s, n) }
