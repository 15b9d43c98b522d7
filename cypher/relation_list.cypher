// The vocabulary in order of date and key, with the number of current memories
// that use each. A persona sees what memories that it is aware of use, and counts
// those.
// Params: $space, $persona (id or null)
// Returns: relation (map), uses (int)
OPTIONAL MATCH (p:Entity {id: $persona})
CALL (p) {
  OPTIONAL MATCH (p)-[:AWARE_OF]->(m)
  WITH m.relation AS key, sum(CASE WHEN m:Memory THEN 1 ELSE 0 END) AS uses WHERE key IS NOT NULL
  RETURN collect({key: key, uses: uses}) AS known
}
MATCH (r:Relation) WHERE r.space = $space AND r.key > ''
WITH r, CASE WHEN $persona IS NULL THEN COUNT { MATCH (m:Memory {space: $space, relation: r.key}) }
  ELSE head([k IN known WHERE k.key = r.key | k.uses]) END AS uses
WHERE uses IS NOT NULL
RETURN r {.key, .content, .date, .functional, .symmetric, .inverse, .aliases, .status, .successor} AS relation, uses
ORDER BY r.date, r.key
