// One step from some entities over memories: every neighbour with the newest
// memory between the two. The entities with the fewest memories go first, so
// that the bound on what is read cuts hubs. A persona walks only over what it
// knows.
// Params: $space, $frontier (ids), $persona (id or null), $limit
// Returns: from, to, memory (ids)
OPTIONAL MATCH (p:Entity {id: $persona})
UNWIND $frontier AS id
MATCH (x:Entity {id: id}) WHERE x.space = $space
WITH p, x ORDER BY COUNT { (x)<-[:MEMORY_SUBJECT]-() } + COUNT { (x)<-[:MEMORY_OBJECT]-() }
CALL (p, x) {
  MATCH (x)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m:Memory)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(y:Entity)
  WHERE y <> x AND ($persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k])
  RETURN y, m
}
WITH x, y, m LIMIT $limit
RETURN x.id AS from, y.id AS to, max(m.id) AS memory
