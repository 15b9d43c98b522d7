// Whether a search can be asked at all, and how many memories there are, counted
// up to 1,000.
// Params: $space, $persona (key of a name, or null)
// Returns: persona_known (bool), size (int), no row where there is no such space
MATCH (s:Space {name: $space})
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
CALL () {
  MATCH (m:Memory) WHERE m.space = $space AND m.id > 0
  WITH m LIMIT 1000
  RETURN count(m) AS size
}
RETURN $persona IS NULL OR declared IS NOT NULL OR same IS NOT NULL AS persona_known, size
