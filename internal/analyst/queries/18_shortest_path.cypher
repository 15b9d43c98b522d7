// The world: What connects two things?
// The shortest ways between two entities over at most five memories, all of that length, step by step: each step's memory
// and when it was written. No row: nothing connects them.
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
WITH s, way, reduce(t = '', x IN relationships(way) | t + toString(x.memory_id) + ' ') AS ids
ORDER BY ids LIMIT 10
WITH s, collect(way) AS ways
UNWIND range(0, size(ways) - 1) AS i
UNWIND range(0, length(ways[i]) - 1) AS j
WITH s, i, j, relationships(ways[i])[j] AS r
MATCH (m:Memory {id: r.memory_id})
RETURN i + 1 AS way, j + 1 AS step, m.subject AS subject, m.relation AS relation, m.object AS object,
  m.content AS memory, replace(left(toString(datetime({datetime: m.date, timezone: s.timezone})), 16), 'T', ' ') AS date, m.id AS memory_id
ORDER BY way, step
