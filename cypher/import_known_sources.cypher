// Which source ids a space has.
// Params: $space, $ids
// Returns: id (int)
UNWIND $ids AS id
MATCH (x:Source {space: $space, source_id: id})
RETURN x.source_id AS id
