// Takes away the next vectors of a page of memories.
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
REMOVE m.embedding_next
RETURN max(m.id) AS last, count(m) AS count
