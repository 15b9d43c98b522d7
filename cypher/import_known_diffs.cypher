// The diffs that were made at some moments or stand for some keys.
// Params: $space, $moments, $keys
// Returns: created_at, session, key
CALL () {
  MATCH (d:Diff) WHERE d.space = $space AND d.created_at IN $moments
  RETURN d
  UNION
  UNWIND $keys AS key
  MATCH (d:Diff {space: $space, key: key})
  RETURN d
}
RETURN d.created_at AS created_at, d.session AS session, d.key AS key
