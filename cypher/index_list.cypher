// The indexes with their state.
// Params: none
// Returns: name, state (texts), options (map)
SHOW INDEXES YIELD name, state, options
RETURN name, state, options
