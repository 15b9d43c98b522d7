// Who knows: What does A know, B not?
// Memories that hold, that A is aware of and B is not, newest first, and who else among the personas knows them.
// Change: space; knower and other, names or declared aliases.
WITH 'harbour-cafe' AS space, '墨鱼' AS knower, '小满' AS other
MATCH (s:Space {name: space})
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(knower, ' ', ''))})-[:ENTITY_ALIAS]->(a1:Entity)
OPTIONAL MATCH (a2:Entity {space: s.name, key: toLower(replace(knower, ' ', ''))})
WITH s, other, coalesce(a1, a2) AS a
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(other, ' ', ''))})-[:ENTITY_ALIAS]->(b1:Entity)
OPTIONAL MATCH (b2:Entity {space: s.name, key: toLower(replace(other, ' ', ''))})
WITH s, a, coalesce(b1, b2) AS b
MATCH (a)-[k:AWARE_OF]->(m:Memory) WHERE NOT EXISTS { (b)-[:AWARE_OF]->(m) }
WITH s, a, b, k, m ORDER BY k.since DESC, m.id LIMIT 100
RETURN a.name AS knows, b.name AS does_not, m.content AS memory, k.by AS told_by, replace(left(toString(datetime({datetime: k.since, timezone: s.timezone})), 16), 'T', ' ') AS since,
  [(p:Persona)-[:AWARE_OF]->(m) WHERE p <> a | p.name] AS others, m.tags AS tags, m.id AS memory_id
ORDER BY k.since DESC, memory_id
