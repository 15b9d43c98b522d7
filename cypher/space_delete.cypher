// Deletes the space's own node.
// Params: $space
// Returns: nothing
MATCH (s:Space {name: $space})
DETACH DELETE s
