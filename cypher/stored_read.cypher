// The current memories that a plan may touch.
// Params: $space, $fingerprints, $ids, $functional
// Returns: memory (map), subject, object (maps), msg_ids (list), chunks (list of maps: id, name), aware (list of maps)
CALL () {
  UNWIND $fingerprints AS fingerprint
  MATCH (m:Memory {space: $space, fingerprint: fingerprint}) WHERE m.relation IS NOT NULL
  RETURN m
  UNION
  UNWIND $ids AS id
  MATCH (m:Memory {id: id}) WHERE m.space = $space
  RETURN m
  UNION
  UNWIND $functional AS f
  MATCH (e:Entity {id: f.subject}) WHERE e.space = $space
  MATCH (e)<-[:MEMORY_SUBJECT]-(m:Memory {relation: f.relation})
  RETURN m
}
MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)
MATCH (m)-[:MEMORY_OBJECT]->(b:Entity)
RETURN m {.id, .subject, .relation, .object, .content, .fingerprint, .index0, .index1, .tags, .title, .memory_type, .date, .event_date, .persona, .session, .retired_at, .retired_by} AS memory,
  a {.id, .key} AS subject, b {.id, .key} AS object,
  [(m)-[:MEMORY_SOURCE]->(x:Message) | x.source_id] AS msg_ids,
  [(m)-[:MEMORY_SOURCE]->(x:Chunk|Image) | {id: x.source_id, name: x.name}] AS chunks,
  [(e:Entity)-[k:AWARE_OF]->(m) | {id: e.id, key: e.key, name: e.name, persona: e:Persona,
    since: k.since, how: k.how, by: k.by, msg_ids: k.msg_ids}] AS aware
ORDER BY m.id
