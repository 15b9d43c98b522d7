// A page of retired memories of a space in order of id, read in the order of the
// index; null filters do not filter. What a persona sees is listed by
// memory_list_from.
// Params: $space, $after, $limit, $relation, $index0, $index1
// Returns: memory (map), subject_id, object_id (int), msg_ids, chunks, known_by, supersedes, superseded_by (lists)
MATCH (m:Retired) WHERE m.space = $space AND m.id > $after
  AND ($relation IS NULL OR m.relation = $relation)
  AND ($index0 IS NULL OR m.index0 = $index0)
  AND ($index1 IS NULL OR m.index1 = $index1)
WITH m ORDER BY m.space, m.id LIMIT $limit
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
