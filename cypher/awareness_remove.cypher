// Takes knowledge of memories from personas, but for those that keep it; people
// keep theirs.
// Params: $space, $rows (each: id, keep)
// Returns: nothing
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.space = $space
MATCH (p:Persona)-[k:AWARE_OF]->(m) WHERE NOT p.id IN row.keep
DELETE k
