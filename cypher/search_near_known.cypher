// Vector leg of a persona: the index is asked for more than is needed, by the
// share of the space that the persona knows, and what it knows is kept; exact
// over all it knows where that is little, or where too little came back.
// owner, other and self are as the persona sees them.
// Params: $space, $persona (key), $queries (each: i, vector, chars (bool), index0, index1 or null)
// Returns: i (int), id, relation, terms, chars, date, event_date, cosine
MATCH (s:Space {name: $space})
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH s, coalesce(declared, same) AS p WHERE p IS NOT NULL
WITH s, p, COUNT { (p)-[:AWARE_OF]->() } AS known
WITH p, CASE
    WHEN known <= 1500 THEN 0
    WHEN known * 6 >= s.memory_count THEN 200
    WHEN known * 12 >= s.memory_count THEN 400
    WHEN known * 20 >= s.memory_count THEN 500
    WHEN known * 40 >= s.memory_count THEN 1000
    WHEN known <= 4000 THEN 0
    ELSE 2000 END AS reach
UNWIND $queries AS q
CALL (p, reach, q) {
  CALL (reach, q) {
    WITH q WHERE reach = 200 AND q.index0 IS NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 200)
    RETURN m
    UNION ALL
    WITH q WHERE reach = 400 AND q.index0 IS NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 400)
    RETURN m
    UNION ALL
    WITH q WHERE reach = 500 AND q.index0 IS NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 500)
    RETURN m
    UNION ALL
    WITH q WHERE reach = 1000 AND q.index0 IS NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 1000)
    RETURN m
    UNION ALL
    WITH q WHERE reach = 2000 AND q.index0 IS NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 2000)
    RETURN m
    UNION ALL
    WITH q WHERE reach > 0 AND q.index0 IS NOT NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space AND m.index0 = q.index0 LIMIT 1000)
    RETURN m
  }
  WITH p, q, m WHERE p IN [(m)<-[:AWARE_OF]-(k) | k]
    AND (q.index1 IS NULL OR q.index1 = CASE WHEN m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END)
  RETURN collect(m) AS near
}
CALL (p, q, near) {
  UNWIND CASE WHEN size(near) >= 10 THEN near ELSE [] END AS m
  RETURN m
  UNION ALL
  WITH p, q WHERE size(near) < 10
  MATCH (p)-[:AWARE_OF]->(m:Memory) WHERE m.embedding IS NOT NULL AND (q.index0 IS NULL OR m.index0 = q.index0)
    AND (q.index1 IS NULL OR q.index1 = CASE WHEN m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END)
  RETURN m
}
WITH q, m, vector.similarity.cosine(m.embedding, q.vector) AS cosine
ORDER BY cosine DESC
WITH q, collect({m: m, cosine: cosine})[..50] AS best
UNWIND best AS b
WITH q, b.m AS m, b.cosine AS cosine
RETURN q.i AS i, m.id AS id, m.relation AS relation, m.terms AS terms,
  CASE WHEN q.chars THEN m.chars END AS chars, m.date AS date, m.event_date AS event_date, cosine
