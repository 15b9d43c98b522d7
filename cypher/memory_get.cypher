// Memories by id, current or retired. A persona sees those it is aware of, of
// their sources those of batches where it was present, and of who knows them
// itself.
// Params: $space, $ids, $persona (id or null)
// Returns: memory (map), subject_id, object_id (int), msg_ids, chunks, known_by, supersedes, superseded_by (lists)
OPTIONAL MATCH (p:Entity {id: $persona})
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id}) WHERE m.space = $space
  RETURN m
  UNION
  UNWIND $ids AS id
  MATCH (m:Retired {id: id}) WHERE m.space = $space
  RETURN m
}
WITH p, m WHERE $persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k]
MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)
MATCH (m)-[:MEMORY_OBJECT]->(b:Entity)
RETURN m {.id, .subject, .relation, .object, .content, .fingerprint, .index0, .tags, .title, .memory_type, .date, .event_date, .session, .retired_at, .retired_by,
    index1: CASE WHEN $persona IS NULL OR m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END,
    persona: CASE WHEN $persona IS NULL OR m.persona = p.name THEN m.persona END} AS memory, a.id AS subject_id, b.id AS object_id,
  [(m)-[:MEMORY_SOURCE]->(x:Message) WHERE $persona IS NULL OR p.name IN x.present | x.source_id] AS msg_ids,
  [(m)-[:MEMORY_SOURCE]->(x:Chunk|Image) WHERE $persona IS NULL OR p.name IN x.present | x.name] AS chunks,
  [(k:Persona)-[:AWARE_OF]->(m) WHERE $persona IS NULL OR k = p | [k.id, k.name]] AS known_by,
  [(m)-[:SUPERSEDES]->(o) WHERE $persona IS NULL OR p IN [(o)<-[:AWARE_OF]-(k) | k] | o.id] AS supersedes,
  [(o)-[:SUPERSEDES]->(m) WHERE $persona IS NULL OR p IN [(o)<-[:AWARE_OF]-(k) | k] | o.id] AS superseded_by
ORDER BY memory.id
