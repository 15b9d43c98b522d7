// Where it comes from: A session, line by line
// The messages of a session in order, each with the memories that cite it, current or retired.
// Change: space; session.
WITH 'harbour-cafe' AS space, '05-captains-orders' AS session
MATCH (s:Space {name: space})
MATCH (x:Source) WHERE x.space = space AND x.session = session AND x.source_id >= 0
WITH s, x ORDER BY x.source_id LIMIT 300
RETURN x.source_id AS message, replace(left(toString(datetime({datetime: x.date, timezone: s.timezone})), 16), 'T', ' ') AS date, x.speaker AS speaker, x.content AS words,
  [(m:Memory)-[:MEMORY_SOURCE]->(x) | m.content] AS holds, [(m:Retired)-[:MEMORY_SOURCE]->(x) | m.content] AS retired
ORDER BY message
