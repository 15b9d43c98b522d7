// Relation linking: how near each question is to what each relation means.
// Params: $space, $queries (each: i, vector)
// Returns: i (int), relations (list of maps: key, content, similarity as index score), the nearest first, at most 100
UNWIND $queries AS q
CALL (q) {
  MATCH (r:Relation) WHERE r.space = $space AND r.key > '' AND r.gloss_embedding IS NOT NULL
  WITH r, vector.similarity.cosine(r.key_embedding, q.vector) AS by_key, vector.similarity.cosine(r.gloss_embedding, q.vector) AS by_gloss
  WITH r, CASE WHEN by_key > by_gloss THEN by_key ELSE by_gloss END AS similarity
  ORDER BY similarity DESC LIMIT 100
  RETURN collect({key: r.key, content: r.content, similarity: similarity}) AS relations
}
RETURN q.i AS i, relations
