// Diffs, newest first.
// Params: $space, $before, $limit
// Returns: diff (map)
MATCH (d:Diff) WHERE d.space = $space AND d.id < $before
RETURN d {.*} AS diff
ORDER BY d.id DESC LIMIT $limit
