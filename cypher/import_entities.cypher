// Makes entities that a space lacks; a kind is kept where there is one.
// Params: $space, $rows (each: key, name, id, kind or null)
// Returns: key, id
UNWIND $rows AS row
MERGE (e:Entity {space: $space, key: row.key})
ON CREATE SET e.id = row.id, e.name = row.name, e.aliases = []
SET e.kind = coalesce(e.kind, row.kind)
RETURN e.key AS key, e.id AS id
