// Vectors of memories all over a space, evenly by age, for what its memories
// have in common.
// Params: $space, $count (how many)
// Returns: vector (list of floats)
CALL () {
  MATCH (m:Memory) WHERE m.space = $space AND m.id > 0
  RETURN m.id AS first ORDER BY m.space, m.id LIMIT 1
}
CALL () {
  MATCH (m:Memory) WHERE m.space = $space AND m.id > 0
  RETURN m.id AS last ORDER BY m.space DESC, m.id DESC LIMIT 1
}
UNWIND range(0, $count - 1) AS n
CALL (first, last, n) {
  MATCH (m:Memory) WHERE m.space = $space AND m.id >= first + (last - first) * n / $count
  RETURN m ORDER BY m.space, m.id LIMIT 1
}
WITH DISTINCT m WHERE m.embedding IS NOT NULL
RETURN m.embedding AS vector
