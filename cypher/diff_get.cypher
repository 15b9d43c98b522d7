// One diff of the ledger.
// Params: $space, $id
// Returns: diff (map), at most one row
MATCH (d:Diff {id: $id}) WHERE d.space = $space
RETURN d {.*} AS diff
