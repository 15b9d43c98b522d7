// Links memories, current or retired, to the retired ones they replaced.
// Params: $space, $rows (each: new, old)
// Returns: linked (int), those that were not yet
UNWIND $rows AS row
MATCH (o:Retired {id: row.old}) WHERE o.space = $space
CALL (row) {
  MATCH (m:Memory {id: row.new}) WHERE m.space = $space
  RETURN m
  UNION
  MATCH (m:Retired {id: row.new}) WHERE m.space = $space
  RETURN m
}
WITH m, o WHERE NOT EXISTS { (m)-[:SUPERSEDES]->(o) }
CREATE (m)-[:SUPERSEDES]->(o)
RETURN count(*) AS linked
