// The personas of a space in order of their making.
// Params: $space
// Returns: persona (map)
MATCH (p:Persona {space: $space})
OPTIONAL MATCH (p)-[:PERSONA_OWNER]->(o:Entity)
RETURN {id: p.id, name: p.name, aliases: p.aliases, voice: p.voice,
  owner: o.name, owner_id: o.id, owner_aliases: o.aliases} AS persona
ORDER BY p.id
