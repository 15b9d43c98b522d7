package steps

import "fmt"

// notes say what was not taken as it was written.
type notes []string

// mostNotes is more than anybody reads.
const mostNotes = 100

func (n *notes) note(format string, args ...any) {
	switch len(*n) {
	case mostNotes:
	case mostNotes - 1:
		*n = append(*n, "there is more that was not taken as it was written")
	default:
		*n = append(*n, fmt.Sprintf(format, args...))
	}
}
