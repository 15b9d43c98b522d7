// Who knows: Who told somebody this?
// What one persona or person heard about a word, earliest first: who told it, when, by what way, the message, and
// whether that memory still holds. What it said itself has nobody in told_by.
// Change: space; name, of the one who knows; word, a part of the memory's text.
WITH 'harbour-cafe' AS space, '墨鱼' AS name, '惊喜' AS word
MATCH (s:Space {name: space})
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(name, ' ', ''))})-[:ENTITY_ALIAS]->(e1:Entity)
OPTIONAL MATCH (e2:Entity {space: s.name, key: toLower(replace(name, ' ', ''))})
WITH s, word, coalesce(e1, e2) AS e
MATCH (e)-[k:AWARE_OF]->(m:Memory|Retired) WHERE toLower(m.content) CONTAINS toLower(word)
WITH s, e, k, m ORDER BY k.since, m.id LIMIT 100
OPTIONAL MATCH (x:Source {space: s.name, source_id: k.msg_ids[0]})
RETURN k.by AS told_by, e.name AS told, replace(left(toString(datetime({datetime: k.since, timezone: s.timezone})), 16), 'T', ' ') AS since, k.how AS how,
  x.source_id AS message, x.content AS words, m.content AS memory, m:Memory AS holds
ORDER BY since, message, memory
