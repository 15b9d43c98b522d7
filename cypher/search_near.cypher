// Vector leg: the memories nearest to each question. Space and category are
// filters inside the index. The index's own scores are coarse, so the cosine is
// computed again from the vectors. Of the branches one alone has rows.
// Params: $space, $reach (how many of each), $queries (each: i, vector, chars (bool), index0, index1 or null)
// Returns: i (int), id, relation, terms, chars, date, event_date, cosine
UNWIND $queries AS q
CALL (q) {
  WITH q WHERE q.index0 IS NULL
  MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT $reach)
  RETURN m
  UNION ALL
  WITH q WHERE q.index0 IS NOT NULL AND q.index1 IS NULL
  MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space AND m.index0 = q.index0 LIMIT $reach)
  RETURN m
  UNION ALL
  WITH q WHERE q.index1 IS NOT NULL
  MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space AND m.index0 = q.index0 AND m.index1 = q.index1 LIMIT $reach)
  RETURN m
}
RETURN q.i AS i, m.id AS id, m.relation AS relation, m.terms AS terms,
  CASE WHEN q.chars THEN m.chars END AS chars, m.date AS date, m.event_date AS event_date,
  vector.similarity.cosine(m.embedding, q.vector) AS cosine
