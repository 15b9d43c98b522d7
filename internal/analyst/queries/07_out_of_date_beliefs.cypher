// Who knows: Out-of-date beliefs
// The last version of a memory that a persona knows, where a newer one was written without it: what it believes, and
// what holds now. Memories that were removed and have no newer version are not listed.
// Change: space.
WITH 'harbour-cafe' AS space
MATCH (s:Space {name: space})
MATCH (p:Persona {space: space})-[k:AWARE_OF]->(old:Retired)
MATCH chain = (now:Memory)-[:SUPERSEDES*1..20]->(old)
WHERE none(v IN nodes(chain)[..-1] WHERE EXISTS { (p)-[:AWARE_OF]->(v) })
RETURN p.name AS persona, old.content AS believes, now.content AS holds,
  replace(left(toString(datetime({datetime: old.retired_at, timezone: s.timezone})), 16), 'T', ' ') AS wrong_since, [(o:Persona)-[:AWARE_OF]->(now) | o.name] AS who_knows_better
ORDER BY old.retired_at DESC, persona, believes
LIMIT 100
