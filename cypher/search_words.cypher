// Text leg: the memories that share words with each question, themselves or in
// the messages that they were read from. The space and the stored category are
// part of the text query. A persona's index1 is as it sees it, and of messages
// only those count where it was present.
// Params: $space, $persona (key of a name, or null), $queries (each: i, vector or null, chars (bool), text, heard ('' without a persona), index1 or null)
// Returns: i (int), id, relation, terms, chars, heard, date, event_date, cosine
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH coalesce(declared, same) AS p
UNWIND $queries AS q
CALL (p, q) {
  CALL (p, q) {
    CALL db.index.fulltext.queryNodes('memory_terms', q.text, {limit: CASE WHEN $persona IS NULL THEN 50 ELSE 500 END}) YIELD node AS m, score
    RETURN m, score
    UNION ALL
    WITH p, q WHERE q.heard <> ''
    CALL db.index.fulltext.queryNodes('memory_terms', q.heard, {limit: 200}) YIELD node AS m, score
    WITH p, m, score WHERE p.name IN m.heard_by
    RETURN m, score
  }
  WITH p, q, m, max(score) AS score
  WITH p, q, m, score WHERE $persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k]
    AND (q.index1 IS NULL OR q.index1 = CASE WHEN m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END)
  RETURN m ORDER BY score DESC LIMIT 50
}
RETURN q.i AS i, m.id AS id, m.relation AS relation, m.terms AS terms,
  CASE WHEN q.chars THEN m.chars END AS chars, CASE WHEN $persona IS NULL OR p.name IN m.heard_by THEN m.heard END AS heard, m.date AS date, m.event_date AS event_date,
  CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN null ELSE vector.similarity.cosine(m.embedding, q.vector) END AS cosine
