// The entities that memories of the relation alias_of call the same as others,
// for an asker who knows these memories.
// Params: $space, $frontier (ids), $persona (id or null)
// Returns: from, to, memory (ids)
OPTIONAL MATCH (p:Entity {id: $persona})
UNWIND $frontier AS id
MATCH (x:Entity {id: id}) WHERE x.space = $space
CALL (p, x) {
  MATCH (x)-[r:ALIAS_OF]-(twin:Entity) WHERE twin <> x
  MATCH (m:Memory {id: r.memory_id}) WHERE $persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k]
  RETURN twin, m LIMIT 20
}
RETURN x.id AS from, twin.id AS to, m.id AS memory
