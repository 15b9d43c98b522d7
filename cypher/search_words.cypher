// Text leg: the memories that share words with each question. The
// space and the stored category are part of the text query. A persona's index1
// is as it sees it.
// Params: $space, $persona (key of a name, or null), $queries (each: i, vector or null, chars (bool), text, index1 or null)
// Returns: i (int), id, relation, terms, chars, date, event_date, cosine
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH coalesce(declared, same) AS p
UNWIND $queries AS q
CALL (p, q) {
  CALL db.index.fulltext.queryNodes('memory_terms', q.text, {limit: CASE WHEN $persona IS NULL THEN 50 ELSE 500 END}) YIELD node AS m
  WITH p, q, m WHERE $persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k]
    AND (q.index1 IS NULL OR q.index1 = CASE WHEN m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END)
  RETURN m LIMIT 50
}
RETURN q.i AS i, m.id AS id, m.relation AS relation, m.terms AS terms,
  CASE WHEN q.chars THEN m.chars END AS chars, m.date AS date, m.event_date AS event_date,
  CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN null ELSE vector.similarity.cosine(m.embedding, q.vector) END AS cosine
