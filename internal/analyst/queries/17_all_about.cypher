// The world: All about one entity
// Every memory that holds with the entity as subject or object, newest first: its category, who knows it, its messages.
// Change: space; name, as in the graph, or a declared alias.
WITH 'harbour-cafe' AS space, 'Maya' AS name
MATCH (s:Space {name: space})
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(name, ' ', ''))})-[:ENTITY_ALIAS]->(e1:Entity)
OPTIONAL MATCH (e2:Entity {space: s.name, key: toLower(replace(name, ' ', ''))})
WITH s, coalesce(e1, e2) AS e
MATCH (m:Memory)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(e)
WITH DISTINCT s, m ORDER BY m.date DESC, m.id LIMIT 200
RETURN m.subject AS subject, m.relation AS relation, m.object AS object, m.content AS memory,
  replace(left(toString(datetime({datetime: m.date, timezone: s.timezone})), 16), 'T', ' ') AS date, m.index0 AS index0, m.index1 AS index1,
  [(p:Persona)-[:AWARE_OF]->(m) | p.name] AS known_by, COLLECT { MATCH (m)-[:MEMORY_SOURCE]->(x:Source) RETURN x.source_id ORDER BY x.source_id } AS messages,
  m.id AS memory_id
ORDER BY m.date DESC, memory_id
