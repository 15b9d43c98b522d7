// The turns of a session that no job has yet, in order of arrival.
// Params: $space, $session, $limit
// Returns: source (map)
MATCH (p:Pending) WHERE p.space = $space AND p.session = $session AND p.seq > 0 AND p.job IS NULL
RETURN p {.*} AS source
ORDER BY p.space, p.session, p.seq LIMIT $limit
