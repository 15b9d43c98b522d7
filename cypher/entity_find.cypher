// Entities by a name or a part of one, aliases included: first the one that the
// name means, then names that begin with it, then names that hold it.
// Params: $space, $key, $rank, $after, $limit
// Returns: entity (map), rank (int)
CALL () {
  MATCH (e:Entity) WHERE e.space = $space AND e.key CONTAINS $key
  RETURN e, e.key AS key
  UNION ALL
  MATCH (l:Alias) WHERE l.space = $space AND l.key CONTAINS $key
  MATCH (l)-[:ENTITY_ALIAS]->(e:Entity)
  RETURN e, l.key AS key
}
WITH e, min(CASE WHEN key = $key THEN 0 WHEN key STARTS WITH $key THEN 1 ELSE 2 END) AS rank
WHERE rank > $rank OR rank = $rank AND e.key > $after
RETURN e {.id, .key, .name, .kind, .aliases, persona: e:Persona} AS entity, rank
ORDER BY rank, e.key LIMIT $limit
