// A page of memories in order of id that begins at what selects most: an entity,
// a session, or what somebody knows. Null filters do not filter; of subject,
// object, about, session and known_to one at least is given. A persona sees what
// it is aware of, as in memory_get.
// Params: $space, $after, $limit, $retired (bool), $relation, $index0, $index1, $subject, $object, $about (ids), $session, $known_to, $unknown_to, $persona (ids)
// Returns: memory (map), subject_id, object_id (int), msg_ids, chunks, known_by, supersedes, superseded_by (lists)
OPTIONAL MATCH (p:Entity {id: $persona})
OPTIONAL MATCH (knower:Entity {id: $known_to})
OPTIONAL MATCH (other:Entity {id: $unknown_to})
CALL (knower) {
  WITH knower WHERE $subject IS NOT NULL
  MATCH (:Entity {id: $subject})<-[:MEMORY_SUBJECT]-(m)
  RETURN m
  UNION
  WITH knower WHERE $subject IS NULL AND $object IS NOT NULL
  MATCH (:Entity {id: $object})<-[:MEMORY_OBJECT]-(m)
  RETURN m
  UNION
  WITH knower WHERE $subject IS NULL AND $object IS NULL AND $about IS NOT NULL
  MATCH (:Entity {id: $about})<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m)
  RETURN m
  UNION
  WITH knower WHERE $subject IS NULL AND $object IS NULL AND $about IS NULL AND $session IS NOT NULL
  MATCH (x:Source) WHERE x.space = $space AND x.session = $session AND x.source_id IS NOT NULL
  MATCH (x)<-[:MEMORY_SOURCE]-(m)
  RETURN m
  UNION
  WITH knower WHERE $subject IS NULL AND $object IS NULL AND $about IS NULL AND $session IS NULL
  MATCH (knower)-[:AWARE_OF]->(m)
  RETURN m
}
WITH DISTINCT p, knower, other, m
WHERE m.space = $space AND m.id > $after AND CASE WHEN $retired THEN m:Retired ELSE m:Memory END
  AND ($relation IS NULL OR m.relation = $relation)
  AND ($index0 IS NULL OR m.index0 = $index0)
  AND ($index1 IS NULL OR $index1 = CASE WHEN $persona IS NULL OR m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END)
  AND ($object IS NULL OR EXISTS { (m)-[:MEMORY_OBJECT]->(:Entity {id: $object}) })
  AND ($about IS NULL OR EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity {id: $about}) })
  AND ($session IS NULL OR EXISTS { (m)-[:MEMORY_SOURCE]->(:Source {session: $session}) })
  AND ($known_to IS NULL OR knower IN [(m)<-[:AWARE_OF]-(k) | k])
  AND ($unknown_to IS NULL OR NOT other IN [(m)<-[:AWARE_OF]-(k) | k])
  AND ($persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k])
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
