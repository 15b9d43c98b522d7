// A page of the ledger in order of id, with what waits for approval.
// Params: $space, $after, $limit
// Returns: diff (map), held (text or null)
MATCH (d:Diff) WHERE d.space = $space AND d.id > $after
WITH d ORDER BY d.id LIMIT $limit
RETURN d {.*} AS diff, head([(d)-[:ANSWERED_WITH]->(t:Answer {kind: 'held'}) | t.text]) AS held
ORDER BY diff.id
