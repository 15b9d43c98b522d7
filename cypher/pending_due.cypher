// The sessions whose turns are due to be ingested, the longest due first.
// Params: $spaces (null for all), $limit
// Returns: space, session (texts)
MATCH (l:Line) WHERE l.due <= datetime() AND ($spaces IS NULL OR l.space IN $spaces)
RETURN l.space AS space, l.session AS session
ORDER BY l.due LIMIT $limit
