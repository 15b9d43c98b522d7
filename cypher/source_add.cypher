// Keeps a batch's messages; one that exists already stays as it is.
// Params: $space, $rows (each: source_id, label, and props)
// Returns: nothing
UNWIND $rows AS row
MERGE (x:Source {space: $space, source_id: row.source_id})
ON CREATE SET x += row.props, x:$(row.label)
