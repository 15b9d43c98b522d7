// The world: Around one entity
// A graph: the typed edges of one entity in both directions, newest first.
// Change: space; name, as in the graph, or a declared alias.
WITH 'harbour-cafe' AS space, '岩哥' AS name
MATCH (s:Space {name: space})
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(name, ' ', ''))})-[:ENTITY_ALIAS]->(e1:Entity)
OPTIONAL MATCH (e2:Entity {space: s.name, key: toLower(replace(name, ' ', ''))})
WITH s, coalesce(e1, e2) AS e
MATCH around = (e)-[r]-(:Entity) WHERE r.memory_id IS NOT NULL
RETURN around
ORDER BY r.date DESC, r.memory_id DESC
LIMIT 100
