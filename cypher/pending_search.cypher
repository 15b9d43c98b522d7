// The turns that are not ingested yet and share words with questions, for each
// the best first. Of a persona: only those of batches where it was present. A turn
// whose diff stands is a message already; its job is about to end.
// Params: $space, $queries (each: i, text), $persona (name, or null), $most, $limit
// Returns: i (int), source (map), score
UNWIND $queries AS q
CALL (q) {
  CALL db.index.fulltext.queryNodes('pending_terms', q.text, {limit: $most}) YIELD node AS p, score
  WHERE p.space = $space AND ($persona IS NULL OR $persona IN p.present)
    AND NOT EXISTS { MATCH (:Diff {space: $space, key: p.batch}) }
  RETURN p, score ORDER BY score DESC, p.seq DESC LIMIT $limit
}
RETURN q.i AS i, p {.*} AS source, score
