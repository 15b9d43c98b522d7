// Entities that a persona knows of, by a name or a part of one ('' for all), in
// the order of entity_find: itself, its owner and what it knows a memory of. An
// alias counts where it stands in a memory that the persona knows.
// Params: $space, $persona (id), $key, $rank, $after, $limit
// Returns: entity (map), rank (int)
MATCH (p:Entity {id: $persona}) WHERE p.space = $space
CALL (p) {
  RETURN p AS e
  UNION
  MATCH (p)-[:PERSONA_OWNER]->(e:Entity)
  RETURN e
  UNION
  MATCH (p)-[:AWARE_OF]->(m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(e:Entity)
  RETURN DISTINCT e
}
WITH p, e, e = p OR EXISTS { (p)-[:PERSONA_OWNER]->(e) } AS own
WITH e, COLLECT {
    MATCH (l:Alias)-[:ENTITY_ALIAS]->(e)
    WHERE own OR EXISTS {
      MATCH (e)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m) WHERE (m.subject = l.name OR m.object = l.name) AND p IN [(m)<-[:AWARE_OF]-(k) | k]
    }
    RETURN l ORDER BY l.key
  } AS known
WITH e, [l IN known | l.name] AS aliases, [e.key] + [l IN known | l.key] AS keys
WITH e, aliases, CASE WHEN $key = '' OR $key IN keys THEN 0
    WHEN any(k IN keys WHERE k STARTS WITH $key) THEN 1
    WHEN any(k IN keys WHERE k CONTAINS $key) THEN 2 END AS rank
WHERE rank > $rank OR rank = $rank AND e.key > $after
RETURN e {.id, .key, .name, .kind, aliases: aliases, persona: e:Persona} AS entity, rank
ORDER BY rank, e.key LIMIT $limit
