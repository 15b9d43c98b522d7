// Links memories to the messages they came from, and keeps what was said there:
// the words of the first four messages, and the names of those who were present
// at all of them.
// Params: $space, $rows (each: id, source_id)
// Returns: nothing
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.space = $space
MATCH (x:Source {space: $space, source_id: row.source_id})
MERGE (m)-[:MEMORY_SOURCE]->(x)
WITH DISTINCT m
CALL (m) {
  MATCH (m)-[:MEMORY_SOURCE]->(x:Message) WHERE x.terms IS NOT NULL
  WITH x ORDER BY x.source_id LIMIT 4
  RETURN collect(x) AS said
}
SET m.heard = reduce(words = '', x IN said | words + x.terms + ' '),
  m.heard_by = [name IN coalesce(head(said).present, []) WHERE all(x IN said WHERE name IN x.present)]
