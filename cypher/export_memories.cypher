// A page of all memories of a space, current and retired, in order of id, with
// all that hangs on them. subject_shadowed and object_shadowed say that the key
// of the entity is an alias of another.
// Params: $space, $after, $limit
// Returns: memory, subject, object (maps), subject_shadowed, object_shadowed (bool), sources, supersedes (lists of ints), aware (list of maps)
CALL () {
  MATCH (m:Memory) WHERE m.space = $space AND m.id > $after
  RETURN m ORDER BY m.id LIMIT $limit
  UNION ALL
  MATCH (m:Retired) WHERE m.space = $space AND m.id > $after
  RETURN m ORDER BY m.id LIMIT $limit
}
WITH m ORDER BY m.id LIMIT $limit
MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)
MATCH (m)-[:MEMORY_OBJECT]->(b:Entity)
RETURN
  m {.id, .subject, .relation, .object, .content, .index0, .index1, .tags, .title, .memory_type, .date, .event_date, .persona, .session, .retired_at, .retired_by} AS memory,
  a {.id, .key, .name} AS subject, b {.id, .key, .name} AS object,
  EXISTS { (:Alias {space: $space, key: a.key}) } AS subject_shadowed,
  EXISTS { (:Alias {space: $space, key: b.key}) } AS object_shadowed,
  [(m)-[:MEMORY_SOURCE]->(x) | x.source_id] AS sources,
  [(m)-[:SUPERSEDES]->(o) | o.id] AS supersedes,
  [(e:Entity)-[k:AWARE_OF]->(m) | {id: e.id, key: e.key, name: e.name, persona: e:Persona,
    since: k.since, how: k.how, by: k.by, msg_ids: k.msg_ids}] AS aware
ORDER BY memory.id
