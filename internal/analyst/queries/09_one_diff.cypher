// What changed: All that a session wrote
// Each diff of a session with who asked for it, and each memory that it added, updated or retired.
// Change: space; session.
WITH 'harbour-cafe' AS space, '08-group-the-announcement' AS session
MATCH (s:Space {name: space})
MATCH (d:Diff) WHERE d.space = s.name AND d.session = session AND d.id >= 0
OPTIONAL MATCH (d)-[c:ADDED|UPDATED|RETIRED]->(m:Memory|Retired)
WITH s, d, c, m ORDER BY d.id DESC, type(c), m.id LIMIT 300
RETURN replace(left(toString(datetime({datetime: d.date, timezone: s.timezone})), 16), 'T', ' ') AS date, d.by AS asked_by, d.present AS present, d.status AS status,
  toLower(type(c)) AS change, m.subject AS subject, m.relation AS relation, m.object AS object, m.content AS memory,
  m:Memory AS holds, d.id AS diff, m.id AS memory_id
ORDER BY diff DESC, change, memory_id
