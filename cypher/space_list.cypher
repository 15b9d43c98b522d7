// All spaces by name.
// Params: none
// Returns: space (map)
MATCH (s:Space)
RETURN s {.*} AS space ORDER BY s.name
