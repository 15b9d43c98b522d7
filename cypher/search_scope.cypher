// Whether a search can be asked at all.
// Params: $space, $persona (key of a name, or null)
// Returns: persona_known (bool), no row where there is no such space
MATCH (s:Space {name: $space})
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
RETURN $persona IS NULL OR declared IS NOT NULL OR same IS NOT NULL AS persona_known
