// Links memories, current or retired, to the retired ones they replaced.
// Params: $space, $rows (each: new, old)
// Returns: nothing
UNWIND $rows AS row
MATCH (o:Retired {id: row.old}) WHERE o.space = $space
CALL (row) {
  MATCH (m:Memory {id: row.new}) WHERE m.space = $space
  RETURN m
  UNION
  MATCH (m:Retired {id: row.new}) WHERE m.space = $space
  RETURN m
}
MERGE (m)-[:SUPERSEDES]->(o)
