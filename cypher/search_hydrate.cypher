// What the hints of a search still lack. A persona sees the messages of batches
// where it was present.
// Params: $space, $ids, $persona (key of a name, or null)
// Returns: id (int), msg_ids, superseded_by (lists of ints)
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH coalesce(declared, same) AS p
UNWIND $ids AS id
CALL (id) {
  MATCH (m:Memory {id: id}) WHERE m.space = $space
  RETURN m
  UNION ALL
  MATCH (m:Retired {id: id}) WHERE m.space = $space
  RETURN m
}
RETURN id, [(m)-[:MEMORY_SOURCE]->(x:Message) WHERE $persona IS NULL OR p.name IN x.present | x.source_id] AS msg_ids,
  [(n)-[:SUPERSEDES]->(m) | n.id] AS superseded_by
