// Makes a persona of an entity and sets its owner. Aliases are written apart.
// Params: $space, $persona (key, name, id), $owner (key, name, id) or null, $voice
// Returns: id (int), owner_id (int or null)
MERGE (p:Entity {space: $space, key: $persona.key})
ON CREATE SET p.id = $persona.id, p.name = $persona.name, p.aliases = []
SET p:Persona, p.voice = coalesce($voice, p.voice), p.kind = 'persona'
WITH p
CALL (p) {
  WITH p WHERE $owner IS NOT NULL
  OPTIONAL MATCH (p)-[old:PERSONA_OWNER]->(:Entity)
  DELETE old
  WITH DISTINCT p
  MERGE (o:Entity {space: $space, key: $owner.key})
  ON CREATE SET o.id = $owner.id, o.name = $owner.name, o.aliases = [], o.kind = 'person'
  CREATE (p)-[:PERSONA_OWNER]->(o)
  RETURN o.id AS owner_id
  UNION ALL
  WITH p WHERE $owner IS NULL
  OPTIONAL MATCH (p)-[:PERSONA_OWNER]->(o:Entity)
  RETURN o.id AS owner_id
}
RETURN p.id AS id, owner_id
