// Declares aliases of entities. An alias that another entity has stays there.
// Params: $space, $rows (each: key, name, entity_id)
// Returns: name, entity_id, taken_by (name of the entity that has it, null where it is this one)
UNWIND $rows AS row
MATCH (e:Entity {id: row.entity_id}) WHERE e.space = $space
MERGE (l:Alias {space: $space, key: row.key})
ON CREATE SET l.name = row.name
WITH row, e, l
OPTIONAL MATCH (l)-[:ENTITY_ALIAS]->(other:Entity) WHERE other <> e
FOREACH (_ IN CASE WHEN other IS NULL THEN [1] ELSE [] END |
  MERGE (l)-[:ENTITY_ALIAS]->(e)
  SET e.aliases = CASE WHEN row.name IN e.aliases THEN e.aliases ELSE e.aliases + row.name END)
RETURN row.name AS name, e.id AS entity_id, other.name AS taken_by
