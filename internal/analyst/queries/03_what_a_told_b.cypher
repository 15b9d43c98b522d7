// Who knows: What did A tell B?
// All that B knows from A, in order of time, with the first message that says it and whether it still holds.
// Change: space; teller and hearer, names or declared aliases.
WITH 'harbour-cafe' AS space, '舟舟' AS teller, '墨鱼' AS hearer
MATCH (s:Space {name: space})
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(teller, ' ', ''))})-[:ENTITY_ALIAS]->(a1:Entity)
OPTIONAL MATCH (a2:Entity {space: s.name, key: toLower(replace(teller, ' ', ''))})
WITH s, hearer, coalesce(a1, a2) AS a
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(hearer, ' ', ''))})-[:ENTITY_ALIAS]->(b1:Entity)
OPTIONAL MATCH (b2:Entity {space: s.name, key: toLower(replace(hearer, ' ', ''))})
WITH s, a, coalesce(b1, b2) AS b
MATCH (b)-[k:AWARE_OF]->(m:Memory|Retired) WHERE k.by = a.name OR k.by IN coalesce(a.aliases, [])
WITH s, a, b, k, m ORDER BY k.since, m.id LIMIT 200
OPTIONAL MATCH (x:Source {space: s.name, source_id: k.msg_ids[0]})
RETURN replace(left(toString(datetime({datetime: k.since, timezone: s.timezone})), 16), 'T', ' ') AS since, a.name AS teller, b.name AS hearer, k.how AS how, m.content AS memory, m:Memory AS holds,
  x.session AS session, x.source_id AS message, x.content AS words
ORDER BY since, message, memory
