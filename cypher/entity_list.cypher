// A page of entities in order of their keys.
// Params: $space, $after, $limit
// Returns: entity (map)
MATCH (e:Entity) WHERE e.space = $space AND e.key > $after
RETURN e {.id, .key, .name, .kind, .aliases, persona: e:Persona} AS entity
ORDER BY e.space, e.key LIMIT $limit
