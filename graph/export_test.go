package graph

// FoldSlowly is Fold without its short way, to hold one against the other.
func FoldSlowly(s string) string {
	return foldFully(s)
}
