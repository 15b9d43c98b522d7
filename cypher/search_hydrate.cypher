// What the hints of a search still lack.
// Params: $space, $ids
// Returns: id (int), msg_ids, superseded_by (lists of ints)
UNWIND $ids AS id
CALL (id) {
  MATCH (m:Memory {id: id}) WHERE m.space = $space
  RETURN m
  UNION ALL
  MATCH (m:Retired {id: id}) WHERE m.space = $space
  RETURN m
}
RETURN id, [(m)-[:MEMORY_SOURCE]->(x:Message) | x.source_id] AS msg_ids,
  [(n)-[:SUPERSEDES]->(m) | n.id] AS superseded_by
