// Vector leg of a persona: exact over what it knows where that is little; else
// over-fetched from the index and filtered. owner, other and self are as the
// persona sees them.
// Params: $space, $persona (key), $queries (each: i, vector, index0, index1 or null)
// Returns: i (int), id, subject, relation, object, content, title, tags, date, retired, cosine
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH coalesce(declared, same) AS p WHERE p IS NOT NULL
WITH p, COUNT { (p)-[:AWARE_OF]->() } AS known
UNWIND $queries AS q
CALL (p, known, q) {
  WITH p, q WHERE known <= 2000
  MATCH (p)-[:AWARE_OF]->(m:Memory) WHERE m.embedding IS NOT NULL AND (q.index0 IS NULL OR m.index0 = q.index0)
  RETURN m
  UNION ALL
  WITH p, q WHERE known > 2000 AND q.index0 IS NULL
  MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 1000)
  WITH p, m WHERE p IN [(m)<-[:AWARE_OF]-(k) | k]
  RETURN m
  UNION ALL
  WITH p, q WHERE known > 2000 AND q.index0 IS NOT NULL
  MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space AND m.index0 = q.index0 LIMIT 1000)
  WITH p, m WHERE p IN [(m)<-[:AWARE_OF]-(k) | k]
  RETURN m
}
WITH p, q, m WHERE q.index1 IS NULL OR q.index1 = CASE WHEN m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END
WITH q, m, vector.similarity.cosine(m.embedding, q.vector) AS cosine
ORDER BY cosine DESC
WITH q, collect({m: m, cosine: cosine})[..100] AS best
UNWIND best AS b
WITH q, b.m AS m, b.cosine AS cosine
RETURN q.i AS i, m.id AS id, m.subject AS subject, m.relation AS relation, m.object AS object, m.content AS content,
  m.title AS title, m.tags AS tags, m.date AS date, m:Retired AS retired, cosine
