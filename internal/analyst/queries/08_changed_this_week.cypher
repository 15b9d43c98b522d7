// What changed: Changes of a week
// What changed this week, and by which diff: each memory that a diff of these days added, updated or retired, newest
// diff first, with what it took the place of.
// Change: space; first_day and days. For the week up to today write toString(date() - duration('P6D')) AS first_day.
WITH 'harbour-cafe' AS space, '2026-06-01' AS first_day, 7 AS days
MATCH (s:Space {name: space})
WITH s, datetime({date: date(first_day), timezone: s.timezone}) AS start, days
MATCH (d:Diff) WHERE d.space = s.name AND d.id >= 0 AND d.date >= start AND d.date < start + duration({days: days})
MATCH (d)-[c:ADDED|UPDATED|RETIRED]->(m:Memory|Retired)
WITH s, d, c, m ORDER BY d.id DESC, type(c), m.id LIMIT 300
RETURN replace(left(toString(datetime({datetime: d.date, timezone: s.timezone})), 16), 'T', ' ') AS date, d.session AS session, toLower(type(c)) AS change,
  m.subject AS subject, m.relation AS relation, m.object AS object, m.content AS memory,
  head([(m)-[:SUPERSEDES]->(o:Retired) WHERE type(c) = 'ADDED' | o.content]) AS instead_of, d.id AS diff, m.id AS memory_id
ORDER BY diff DESC, change, memory_id
