// Who knows: Secrets of one persona
// Memories tagged secret that it knows: since when, by what way, everybody else who knows, and the first message that
// says it, with its session and speaker.
// Change: space; name, of the persona; tag.
WITH 'harbour-cafe' AS space, '小满' AS name, 'secret' AS tag
MATCH (s:Space {name: space})
OPTIONAL MATCH (:Alias {space: s.name, key: toLower(replace(name, ' ', ''))})-[:ENTITY_ALIAS]->(e1:Entity)
OPTIONAL MATCH (e2:Entity {space: s.name, key: toLower(replace(name, ' ', ''))})
WITH s, tag, coalesce(e1, e2) AS e
MATCH (e)-[k:AWARE_OF]->(m:Memory) WHERE tag IN coalesce(m.tags, [])
WITH s, e, k, m ORDER BY k.since DESC, m.id LIMIT 50
CALL (m) {
  OPTIONAL MATCH (m)-[:MEMORY_SOURCE]->(x:Source)
  RETURN x ORDER BY x.source_id LIMIT 1
}
RETURN e.name AS persona, m.content AS secret, k.how AS how, replace(left(toString(datetime({datetime: k.since, timezone: s.timezone})), 16), 'T', ' ') AS since,
  [(o:Entity)-[:AWARE_OF]->(m) WHERE o <> e | o.name] AS also_known_to, 
  x.session AS session, x.source_id AS message, x.speaker AS speaker, x.content AS words
ORDER BY since DESC, secret
