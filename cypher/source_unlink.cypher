// Takes sources away from memories, but for those that stay, and what was said
// there with them.
// Params: $space, $rows (each: id, keep)
// Returns: nothing
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.space = $space
REMOVE m.heard, m.heard_by
WITH m, row
MATCH (m)-[l:MEMORY_SOURCE]->(x:Message) WHERE NOT x.source_id IN row.keep
DELETE l
