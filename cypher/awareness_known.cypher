// Which of some memories a persona is aware of, and the relations of all it is
// aware of.
// Params: $space, $persona (id), $ids
// Returns: ids (list of ints), relations (list of keys)
MATCH (p:Entity {id: $persona})
CALL (p) {
  UNWIND $ids AS id
  CALL (id) {
    MATCH (m:Memory {id: id}) WHERE m.space = $space
    RETURN m
    UNION
    MATCH (m:Retired {id: id}) WHERE m.space = $space
    RETURN m
  }
  WITH p, m WHERE p IN [(m)<-[:AWARE_OF]-(k) | k]
  RETURN collect(m.id) AS ids
}
CALL (p) {
  MATCH (p)-[:AWARE_OF]->(m)
  RETURN collect(DISTINCT m.relation) AS relations
}
RETURN ids, relations
