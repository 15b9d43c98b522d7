// What changed: A memory's whole history
// Each version of a memory that holds, newest first (version 0): its text, from when until when, the session that wrote
// it, its messages, and the personas who know that version.
// Change: space; words, a part of the text of the newest version.
WITH 'harbour-cafe' AS space, '桌游夜改到线上' AS words
MATCH (s:Space {name: space})
MATCH (m:Memory) WHERE m.space = space AND m.id >= 0 AND toLower(m.content) CONTAINS toLower(words)
WITH s, m ORDER BY m.date DESC, m.id LIMIT 5
MATCH chain = (m)-[:SUPERSEDES*0..50]->(v:Memory|Retired)
OPTIONAL MATCH (d:Diff)-[:ADDED]->(v)
RETURN m.content AS memory, length(chain) AS version, v.object AS value, v.content AS text,
  replace(left(toString(datetime({datetime: coalesce(d.date, v.date), timezone: s.timezone})), 16), 'T', ' ') AS from_date, CASE WHEN v.retired_at IS NOT NULL THEN replace(left(toString(datetime({datetime: v.retired_at, timezone: s.timezone})), 16), 'T', ' ') END AS until_date,
  d.session AS session, COLLECT { MATCH (v)-[:MEMORY_SOURCE]->(x:Source) RETURN x.source_id ORDER BY x.source_id } AS messages,
  [(p:Persona)-[:AWARE_OF]->(v) | p.name] AS known_by, d.id AS diff, v.id AS memory_id
ORDER BY m.date DESC, m.id, version, memory_id
LIMIT 200
