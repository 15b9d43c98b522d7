// The neighbours of some entities with the memories between them, the newest
// first. What is read of one entity is bounded, so that a hub costs no more
// than any other. A persona walks only over what it knows.
// Params: $space, $frontier (ids), $relations (keys, or null for all), $persona (id or null), $scan, $fan, $parallel
// Returns: from, to (ids), edges (list of maps: id, relation, outward), total (int, memories between the two that were read)
OPTIONAL MATCH (p:Entity {id: $persona})
UNWIND $frontier AS id
MATCH (x:Entity {id: id}) WHERE x.space = $space
CALL (p, x) {
  MATCH (x)<-[l:MEMORY_SUBJECT|MEMORY_OBJECT]-(m:Memory)
  WHERE ($relations IS NULL OR m.relation IN $relations) AND ($persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k])
  WITH l, m LIMIT $scan
  MATCH (m)-[o:MEMORY_SUBJECT|MEMORY_OBJECT]->(y:Entity) WHERE o <> l
  WITH y, m, type(l) = 'MEMORY_SUBJECT' AS outward ORDER BY m.id DESC
  WITH y, max(m.id) AS newest, count(*) AS total, collect({id: m.id, relation: m.relation, outward: outward})[..$parallel] AS edges
  RETURN y, edges, total ORDER BY newest DESC LIMIT $fan
}
RETURN id AS from, y.id AS to, edges, total
