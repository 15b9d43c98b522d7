// Takes the write lock of a space for the rest of the transaction, before it
// reads anything of the space: a value read while waiting would be out of date.
// Params: $space
// Returns: space (map), no row where there is none
MATCH (s:Space {name: $space})
SET s.locked = true
REMOVE s.locked
RETURN s {.*} AS space
