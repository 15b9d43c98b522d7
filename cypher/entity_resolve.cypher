// The entity that a name means: by a declared alias, else by its own key.
// Params: $space, $key
// Returns: entity (map), at most one row
OPTIONAL MATCH (:Alias {space: $space, key: $key})-[:ENTITY_ALIAS]->(declared:Entity)
OPTIONAL MATCH (same:Entity {space: $space, key: $key})
WITH coalesce(declared, same) AS e WHERE e IS NOT NULL
RETURN {id: e.id, key: e.key, name: e.name, persona: e:Persona} AS entity
