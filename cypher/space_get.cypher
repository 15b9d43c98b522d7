// One space.
// Params: $space
// Returns: space (map), no row where there is none
MATCH (s:Space {name: $space})
RETURN s {.*} AS space
