// What changed: Removed for good
// Memories that a diff removed or retired without a successor, newest first, with the session that did it.
// Change: space.
WITH 'harbour-cafe' AS space
MATCH (s:Space {name: space})
MATCH (m:Retired) WHERE m.space = space AND m.id >= 0 AND NOT EXISTS { ()-[:SUPERSEDES]->(m) }
WITH s, m ORDER BY m.retired_at DESC, m.id LIMIT 100
OPTIONAL MATCH (d:Diff)-[:RETIRED]->(m)
RETURN replace(left(toString(datetime({datetime: m.retired_at, timezone: s.timezone})), 16), 'T', ' ') AS gone_on, m.retired_by AS how, d.session AS session,
  m.subject AS subject, m.relation AS relation, m.object AS object, m.content AS memory, d.id AS diff, m.id AS memory_id
ORDER BY gone_on DESC, memory_id
