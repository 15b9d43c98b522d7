// The vocabulary: Other names
// Every name that is not the entity's own: `declared` ones (of personas, owners, the alias route) decide where things
// are written; `claimed` ones come from a memory of the relation alias_of, and count in reading only.
// Change: space.
WITH 'harbour-cafe' AS space
CALL (space) {
  MATCH (a:Alias)-[:ENTITY_ALIAS]->(e:Entity) WHERE a.space = space AND a.key >= ''
  RETURN e.name AS entity, a.name AS alias, 'declared' AS by, null AS memory
  UNION
  MATCH (m:Memory {space: space, relation: 'alias_of'})-[:MEMORY_OBJECT]->(e:Entity)
  RETURN e.name AS entity, m.subject AS alias, 'claimed' AS by, m.content AS memory
}
RETURN entity, alias, by, memory
ORDER BY entity, by, alias
LIMIT 300
