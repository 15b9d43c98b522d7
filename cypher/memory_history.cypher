// A memory with all that it replaced and that replaced it, oldest first.
// Params: $space, $id
// Returns: memory (map), subject_id, object_id (int), msg_ids, chunks, known_by, supersedes, superseded_by (lists)
CALL () {
  MATCH (m:Memory {id: $id}) WHERE m.space = $space
  RETURN m
  UNION
  MATCH (m:Retired {id: $id}) WHERE m.space = $space
  RETURN m
}
MATCH (m)-[:SUPERSEDES]-{0,200}(v)
WITH DISTINCT v AS m
MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)
MATCH (m)-[:MEMORY_OBJECT]->(b:Entity)
RETURN
  m {.id, .subject, .relation, .object, .content, .fingerprint, .index0, .index1, .tags, .title, .memory_type, .date, .event_date, .persona, .session, .retired_at, .retired_by} AS memory, a.id AS subject_id, b.id AS object_id,
  [(m)-[:MEMORY_SOURCE]->(x:Message) | x.source_id] AS msg_ids,
  [(m)-[:MEMORY_SOURCE]->(x:Chunk|Image) | x.name] AS chunks,
  [(p:Persona)-[:AWARE_OF]->(m) | [p.id, p.name]] AS known_by,
  [(m)-[:SUPERSEDES]->(o) | o.id] AS supersedes,
  [(o)-[:SUPERSEDES]->(m) | o.id] AS superseded_by
ORDER BY memory.id
