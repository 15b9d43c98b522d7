// A page of all sources of a space in order of their ids.
// Params: $space, $after, $limit
// Returns: source (map)
MATCH (x:Source) WHERE x.space = $space AND x.source_id > $after
RETURN x {.*} AS source
ORDER BY x.source_id LIMIT $limit
