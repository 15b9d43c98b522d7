// Links memories to the messages they came from.
// Params: $space, $rows (each: id, source_id)
// Returns: nothing
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.space = $space
MATCH (x:Source {space: $space, source_id: row.source_id})
MERGE (m)-[:MEMORY_SOURCE]->(x)
