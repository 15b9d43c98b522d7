// Memories of all spaces, current or retired, in order of id.
// Params: $after, $limit
// Returns: id (int), content (text, null where the next vector is there)
CALL () {
  MATCH (m:Memory) WHERE m.id > $after
  RETURN m ORDER BY m.id LIMIT $limit
  UNION ALL
  MATCH (m:Retired) WHERE m.id > $after
  RETURN m ORDER BY m.id LIMIT $limit
}
WITH m ORDER BY m.id LIMIT $limit
RETURN m.id AS id, CASE WHEN m.embedding_next IS NULL THEN m.content END AS content
