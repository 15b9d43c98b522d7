// Takes the write lock of a space for the rest of the transaction.
// Params: $space
// Returns: space (map), no row where there is none
MATCH (s:Space {name: $space})
SET s.version = s.version
RETURN s {.*} AS space
