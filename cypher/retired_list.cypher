// A page of retired memories of a space in order of id; null filters do not filter.
// Params: $space, $after, $limit, $relation, $index0, $index1, $persona (null: a persona's lists begin at what it knows)
// Returns: memory (map), subject_id, object_id (int), msg_ids, chunks, known_by, supersedes, superseded_by (lists)
OPTIONAL MATCH (p:Entity {id: $persona})
MATCH (m:Retired) WHERE m.space = $space AND m.id > $after
  AND ($relation IS NULL OR m.relation = $relation)
  AND ($index0 IS NULL OR m.index0 = $index0)
  AND ($index1 IS NULL OR m.index1 = $index1)
WITH p, m ORDER BY m.id LIMIT $limit
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
