// Makes entities aware of memories; who is aware already stays so as before.
// Params: $space, $rows (each: id, entity_id, props)
// Returns: nothing
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.space = $space
MATCH (e:Entity {id: row.entity_id})
MERGE (e)-[k:AWARE_OF]->(m)
ON CREATE SET k += row.props
