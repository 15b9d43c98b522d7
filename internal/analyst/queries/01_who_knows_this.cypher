// Who knows: Who knows this?
// For each memory that holds, with the word in its text: everybody who is aware of it, since when, by what way
// (said, told, present, read, granted), from whom and by which messages. A memory that nobody knows has one row.
// Change: space; word, a part of the sentence as it is written.
WITH 'harbour-cafe' AS space, '婚礼' AS word
MATCH (s:Space {name: space})
MATCH (m:Memory) WHERE m.space = space AND m.id >= 0 AND toLower(m.content) CONTAINS toLower(word)
WITH s, m ORDER BY m.date DESC, m.id LIMIT 20
OPTIONAL MATCH (e:Entity)-[k:AWARE_OF]->(m)
RETURN m.content AS memory, e.name AS who, e.kind AS kind, k.how AS how, k.by AS told_by,
  CASE WHEN k.since IS NOT NULL THEN replace(left(toString(datetime({datetime: k.since, timezone: s.timezone})), 16), 'T', ' ') END AS since, k.msg_ids AS messages, m.id AS memory_id
ORDER BY m.date DESC, memory_id, since, who
LIMIT 200
