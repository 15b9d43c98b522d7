// Whether a search can be asked at all, how many memories there are, and which
// state its vocabulary is in.
// Params: $space, $persona (key of a name, or null)
// Returns: persona_known (bool), size (int), vocabulary_id (text), no row where there is no such space
MATCH (s:Space {name: $space})
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
RETURN $persona IS NULL OR declared IS NOT NULL OR same IS NOT NULL AS persona_known,
  coalesce(s.memory_count, 0) AS size, coalesce(s.vocabulary_id, '') AS vocabulary_id
