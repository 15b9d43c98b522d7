// Vector leg: the memories nearest to each question. Space and category are
// filters inside the index. The index's own scores are coarse, so the cosine is
// computed again from the vectors. Of the branches one alone has rows.
// Params: $space, $queries (each: i, vector, index0, index1 or null)
// Returns: i (int), id, subject, relation, object, content, title, tags, date, retired, cosine
UNWIND $queries AS q
CALL (q) {
  WITH q WHERE q.index0 IS NULL
  MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 50)
  RETURN m
  UNION ALL
  WITH q WHERE q.index0 IS NOT NULL AND q.index1 IS NULL
  MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space AND m.index0 = q.index0 LIMIT 50)
  RETURN m
  UNION ALL
  WITH q WHERE q.index1 IS NOT NULL
  MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space AND m.index0 = q.index0 AND m.index1 = q.index1 LIMIT 50)
  RETURN m
}
RETURN q.i AS i, m.id AS id, m.subject AS subject, m.relation AS relation, m.object AS object, m.content AS content,
  m.title AS title, m.tags AS tags, m.date AS date, m:Retired AS retired,
  vector.similarity.cosine(m.embedding, q.vector) AS cosine
