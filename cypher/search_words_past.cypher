// Text leg over the past. The space and the stored category are part of the
// text query.
// The past: with $as_of only what held at that time and, for a persona, what it
// knew by then; $past is 'retired' for what holds no longer as well, 'believed'
// for that of it which the persona does not know to have changed, 'none' else.
// Params: $space, $persona (key of a name, or null), $as_of (time or null), $past, $queries (each: i, vector or null, chars (bool), text, index1 or null)
// Returns: i (int), id, relation, terms, chars, heard, date, event_date, retired, cosine
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH coalesce(declared, same) AS p
UNWIND $queries AS q
CALL (p, q) {
  CALL (q) {
    CALL db.index.fulltext.queryNodes('memory_terms', q.text, {limit: 500}) YIELD node, score
    RETURN node AS m, score
    UNION ALL
    CALL db.index.fulltext.queryNodes('retired_terms', q.text, {limit: 500}) YIELD node, score
    RETURN node AS m, score
  }
  WITH p, q, m, score WHERE ($persona IS NULL OR any(k IN [(m)<-[a:AWARE_OF]-(e) | {e: e, since: a.since}] WHERE k.e = p AND ($as_of IS NULL OR k.since IS NULL OR k.since <= $as_of)))
    AND ($as_of IS NULL OR coalesce(m.since, m.date) IS NULL OR coalesce(m.since, m.date) <= $as_of)
    AND (m:Memory OR m.retired_at > $as_of OR $past = 'retired' OR $past = 'believed' AND NOT p.name IN coalesce(m.retired_before, [])
      AND NOT EXISTS { MATCH (m)<-[:SUPERSEDES]-{1,100}(n) WHERE any(k IN [(n)<-[a:AWARE_OF]-(e) | {e: e, since: a.since}] WHERE k.e = p AND ($as_of IS NULL OR k.since IS NULL OR k.since <= $as_of)) })
    AND (q.index1 IS NULL OR q.index1 = CASE WHEN $persona IS NULL OR m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END)
  RETURN m ORDER BY score DESC LIMIT 100
}
RETURN q.i AS i, m.id AS id, m.relation AS relation, m.terms AS terms,
  CASE WHEN q.chars THEN m.chars END AS chars, CASE WHEN $persona IS NULL AND $as_of IS NULL THEN m.heard END AS heard, m.date AS date, m.event_date AS event_date, m:Retired AND ($as_of IS NULL OR m.retired_at <= $as_of) AS retired,
  CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN null ELSE vector.similarity.cosine(m.embedding, q.vector) END AS cosine
