// Messages by their ids.
// Params: $space, $ids
// Returns: source (map)
UNWIND $ids AS id
MATCH (x:Source {space: $space, source_id: id})
RETURN x {.*} AS source
ORDER BY x.source_id
