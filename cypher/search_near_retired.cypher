// Vector leg over what was replaced or removed.
// Params: $space, $persona (key of a name, or null), $queries (each: i, vector, index0, index1 or null)
// Returns: i (int), id, subject, relation, object, content, title, tags, date, retired, cosine
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH coalesce(declared, same) AS p
UNWIND $queries AS q
CALL (p, q) {
  MATCH (m:Retired) SEARCH m IN (VECTOR INDEX retired_vector FOR q.vector WHERE m.space = $space LIMIT 300)
  WITH p, q, m WHERE (q.index0 IS NULL OR m.index0 = q.index0)
    AND ($persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k])
    AND (q.index1 IS NULL OR q.index1 = CASE WHEN $persona IS NULL OR m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END)
  RETURN m LIMIT 100
}
RETURN q.i AS i, m.id AS id, m.subject AS subject, m.relation AS relation, m.object AS object, m.content AS content,
  m.title AS title, m.tags AS tags, m.date AS date, m:Retired AS retired,
  vector.similarity.cosine(m.embedding, q.vector) AS cosine
