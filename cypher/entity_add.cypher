// Makes the entities that a diff names first.
// Params: $space, $rows (each: key, name, id)
// Returns: key, id
UNWIND $rows AS row
MERGE (e:Entity {space: $space, key: row.key})
ON CREATE SET e.id = row.id, e.name = row.name, e.aliases = []
RETURN e.key AS key, e.id AS id
