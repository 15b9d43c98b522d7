// Who knows: Secrets per persona
// For each persona: how many memories that hold it knows, how many of them no other persona knows, how many are tagged
// secret, and the newest ten of these.
// Change: space; tag, if your spaces mark secrets by another word.
WITH 'harbour-cafe' AS space, 'secret' AS tag
MATCH (p:Persona {space: space})
OPTIONAL MATCH (p)-[:AWARE_OF]->(m:Memory)
WITH p, m, tag IN coalesce(m.tags, []) AS secret, COUNT { (:Persona)-[:AWARE_OF]->(m) } AS personas
ORDER BY m.date DESC, m.id
RETURN p.name AS persona, count(m) AS knows, sum(CASE WHEN personas = 1 THEN 1 ELSE 0 END) AS alone,
  sum(CASE WHEN secret THEN 1 ELSE 0 END) AS secrets, collect(CASE WHEN secret THEN m.content END)[..10] AS newest
ORDER BY secrets DESC, persona
LIMIT 50
