// The world: A connection as a picture
// A graph: the shortest ways between two entities over at most five memories, with the memories and their messages.
// Change: space; one and other, names or declared aliases.
WITH 'harbour-cafe' AS space, '李明' AS one, 'C++' AS other
MATCH (s:Space {name: space})
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(one, ' ', ''))})-[:ENTITY_ALIAS]->(a1:Entity)
OPTIONAL MATCH (a2:Entity {space: s.name, key: toLower(replace(one, ' ', ''))})
WITH s, other, coalesce(a1, a2) AS a
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(other, ' ', ''))})-[:ENTITY_ALIAS]->(b1:Entity)
OPTIONAL MATCH (b2:Entity {space: s.name, key: toLower(replace(other, ' ', ''))})
WITH s, a, coalesce(b1, b2) AS b
MATCH way = SHORTEST 1 GROUPS (a)-[r WHERE r.memory_id IS NOT NULL]-{1,5}(b)
WITH way LIMIT 10
UNWIND relationships(way) AS r
MATCH subject = (m:Memory {id: r.memory_id})-[:MEMORY_SUBJECT]->(:Entity)
MATCH object = (m)-[:MEMORY_OBJECT]->(:Entity)
OPTIONAL MATCH evidence = (m)-[:MEMORY_SOURCE]->(:Source)
RETURN way, subject, object, evidence
LIMIT 200
