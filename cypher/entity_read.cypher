// Entities by id. A persona sees itself, its owner and what it knows a memory
// of; of their aliases those that stand in a memory it knows.
// Params: $space, $ids, $persona (id or null)
// Returns: entity (map)
OPTIONAL MATCH (p:Entity {id: $persona})
UNWIND $ids AS id
MATCH (e:Entity {id: id}) WHERE e.space = $space
WITH p, e, $persona IS NULL OR e = p OR EXISTS { (p)-[:PERSONA_OWNER]->(e) } AS own
WHERE own OR EXISTS { MATCH (e)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m) WHERE p IN [(m)<-[:AWARE_OF]-(k) | k] }
RETURN e {.id, .key, .name, .kind, persona: e:Persona,
  aliases: [a IN e.aliases WHERE own OR EXISTS {
    MATCH (e)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m) WHERE (m.subject = a OR m.object = a) AND p IN [(m)<-[:AWARE_OF]-(k) | k]
  }]} AS entity
