// Who is aware of some memories, current or retired; for a persona that is aware
// of them itself alone.
// Params: $space, $ids, $persona (id or null)
// Returns: id (int), content (text), aware (list of maps: id, key, name, persona, since, how, by, msg_ids)
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
RETURN m.id AS id, m.content AS content,
  [(e:Entity)-[k:AWARE_OF]->(m) WHERE $persona IS NULL OR e = p | {id: e.id, key: e.key, name: e.name, persona: e:Persona,
    since: k.since, how: k.how, by: k.by, msg_ids: k.msg_ids}] AS aware
ORDER BY id
