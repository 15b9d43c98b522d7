// The diff that stands for an idempotency key.
// Params: $space, $key
// Returns: diff (map), at most one row
MATCH (d:Diff {space: $space, key: $key})
RETURN d {.*} AS diff
