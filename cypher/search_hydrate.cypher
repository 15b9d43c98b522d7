// What the hints of a search say. A persona sees the messages of batches where
// it was present. With $before, each brings what it replaced in its category, as
// far as the persona is aware of it.
// Params: $space, $ids, $persona (key of a name, or null), $before (bool), $as_of (time or null)
// Returns: id (int), content, subject, relation, object, date, retired (bool), msg_ids, superseded_by (lists of ints), of (id of what it comes with, or null)
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
CALL (p, m) {
  RETURN m AS x, null AS of
  UNION ALL
  WITH p, m WHERE $before
  MATCH (m)-[:SUPERSEDES]->{1,5}(x:Retired)
  WHERE x.index0 = m.index0 AND x.index1 = m.index1
    AND ($as_of IS NULL OR coalesce(x.since, x.date) IS NULL OR coalesce(x.since, x.date) <= $as_of)
    AND ($persona IS NULL OR coalesce(x.persona, '') = coalesce(m.persona, '')
      AND any(k IN [(x)<-[a:AWARE_OF]-(e) | {e: e, since: a.since}] WHERE k.e = p AND ($as_of IS NULL OR k.since IS NULL OR k.since <= $as_of)))
  WITH DISTINCT m, x LIMIT 5
  RETURN x, m.id AS of
}
RETURN x.id AS id, x.content AS content, x.subject AS subject, x.relation AS relation, x.object AS object, x.date AS date,
  x:Retired AND ($as_of IS NULL OR x.retired_at <= $as_of) AS retired,
  [(x)-[:MEMORY_SOURCE]->(s:Message) WHERE $persona IS NULL OR p.name IN s.present | s.source_id] AS msg_ids,
  [(n)-[:SUPERSEDES]->(x) | n.id] AS superseded_by, of
