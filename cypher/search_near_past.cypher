// Vector leg over the past; exact over what a persona knows where that is
// little.
// The past: with $as_of only what held at that time and, for a persona, what it
// knew by then; $past is 'retired' for what holds no longer as well, 'believed'
// for that of it which the persona does not know to have changed, 'none' else.
// Params: $space, $persona (key of a name, or null), $as_of (time or null), $past, $queries (each: i, vector, chars (bool), index0, index1 or null)
// Returns: i (int), id, relation, terms, chars, date, event_date, retired, cosine
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH coalesce(declared, same) AS p
WITH p, $persona IS NOT NULL AND COUNT { (p)-[:AWARE_OF]->() } <= 2000 AS little
UNWIND $queries AS q
CALL (p, q, little) {
  CALL (p, q, little) {
    WITH p WHERE little
    MATCH (p)-[:AWARE_OF]->(m) WHERE m.embedding IS NOT NULL
    RETURN m
    UNION ALL
    WITH q WHERE NOT little
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 1000)
    RETURN m
    UNION ALL
    WITH q WHERE NOT little
    MATCH (m:Retired) SEARCH m IN (VECTOR INDEX retired_vector FOR q.vector WHERE m.space = $space LIMIT 1000)
    RETURN m
  }
  WITH p, q, m WHERE (q.index0 IS NULL OR m.index0 = q.index0)
    AND ($persona IS NULL OR any(k IN [(m)<-[a:AWARE_OF]-(e) | {e: e, since: a.since}] WHERE k.e = p AND ($as_of IS NULL OR k.since IS NULL OR k.since <= $as_of)))
    AND ($as_of IS NULL OR coalesce(m.since, m.date) IS NULL OR coalesce(m.since, m.date) <= $as_of)
    AND (m:Memory OR m.retired_at > $as_of OR $past = 'retired' OR $past = 'believed' AND NOT p.name IN coalesce(m.retired_before, [])
      AND NOT EXISTS { MATCH (m)<-[:SUPERSEDES]-{1,100}(n) WHERE any(k IN [(n)<-[a:AWARE_OF]-(e) | {e: e, since: a.since}] WHERE k.e = p AND ($as_of IS NULL OR k.since IS NULL OR k.since <= $as_of)) })
    AND (q.index1 IS NULL OR q.index1 = CASE WHEN $persona IS NULL OR m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END)
  WITH m, vector.similarity.cosine(m.embedding, q.vector) AS cosine
  RETURN m, cosine ORDER BY cosine DESC LIMIT 100
}
RETURN q.i AS i, m.id AS id, m.relation AS relation, m.terms AS terms,
  CASE WHEN q.chars THEN m.chars END AS chars, m.date AS date, m.event_date AS event_date, m:Retired AND ($as_of IS NULL OR m.retired_at <= $as_of) AS retired,
  cosine
