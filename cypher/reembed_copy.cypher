// Puts the next vectors of a page of memories in the place of those in use; a
// memory without one has none from then on.
// Params: $after, $limit
// Returns: last (int, null after the last page), count (int)
CALL () {
  MATCH (m:Memory) WHERE m.id > $after
  RETURN m ORDER BY m.id LIMIT $limit
  UNION ALL
  MATCH (m:Retired) WHERE m.id > $after
  RETURN m ORDER BY m.id LIMIT $limit
}
WITH m ORDER BY m.id LIMIT $limit
SET m.embedding = m.embedding_next
RETURN max(m.id) AS last, count(m) AS count
