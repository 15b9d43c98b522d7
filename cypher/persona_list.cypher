// The personas of a space in order of their making. A persona sees itself and
// those it knows a memory of.
// Params: $space, $persona (id or null)
// Returns: persona (map)
OPTIONAL MATCH (asker:Entity {id: $persona})
MATCH (p:Persona {space: $space})
WHERE $persona IS NULL OR p = asker OR EXISTS { MATCH (p)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m) WHERE asker IN [(m)<-[:AWARE_OF]-(k) | k] }
OPTIONAL MATCH (p)-[:PERSONA_OWNER]->(o:Entity)
WITH p, o, $persona IS NULL OR p = asker AS whole
RETURN {id: p.id, name: p.name, aliases: CASE WHEN whole THEN p.aliases ELSE [] END, voice: CASE WHEN whole THEN p.voice END,
  owner: CASE WHEN whole THEN o.name END, owner_id: CASE WHEN whole THEN o.id END, owner_aliases: CASE WHEN whole THEN o.aliases END} AS persona
ORDER BY p.id
