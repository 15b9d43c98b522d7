// Diffs of the ledger, by id.
// Params: $space, $ids
// Returns: diff (map), at most one row for each id
MATCH (d:Diff) WHERE d.id IN $ids AND d.space = $space
RETURN d {.*} AS diff
