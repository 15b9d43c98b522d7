// What changed: When did it change?
// All values that a subject ever had for a relation, newest first: from when until when, how it ended, the session of the
// diff that wrote it, and the message that says so (the last of them, where there are several).
// Change: space; subject, a name or declared alias; relation, a key of the vocabulary.
WITH 'harbour-cafe' AS space, '阿岩' AS subject, 'work_at' AS relation
MATCH (s:Space {name: space})
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(subject, ' ', ''))})-[:ENTITY_ALIAS]->(e1:Entity)
OPTIONAL MATCH (e2:Entity {space: s.name, key: toLower(replace(subject, ' ', ''))})
WITH s, relation, coalesce(e1, e2) AS e
MATCH (m:Memory|Retired)-[:MEMORY_SUBJECT]->(e) WHERE m.relation = relation
WITH s, m ORDER BY m.id DESC LIMIT 50
OPTIONAL MATCH (d:Diff)-[:ADDED]->(m)
CALL (m) {
  OPTIONAL MATCH (m)-[:MEMORY_SOURCE]->(x:Source)
  RETURN x ORDER BY x.source_id DESC LIMIT 1
}
RETURN m.subject AS subject, m.relation AS relation, m.object AS value,
  replace(left(toString(datetime({datetime: coalesce(d.date, m.date), timezone: s.timezone})), 16), 'T', ' ') AS from_date,
  CASE WHEN m.retired_at IS NOT NULL THEN replace(left(toString(datetime({datetime: m.retired_at, timezone: s.timezone})), 16), 'T', ' ') END AS until_date, m.retired_by AS ended_by,
  d.session AS session, x.source_id AS message, x.speaker AS speaker, x.content AS words, m.content AS memory, d.id AS diff
ORDER BY from_date DESC, diff DESC
