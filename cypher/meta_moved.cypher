// Notes that a move to another model is done.
// Params: none
// Returns: nothing
MATCH (m:Meta {name: 'relata'}) WHERE m.next_model IS NOT NULL
SET m.embedding_model = m.next_model, m.dimensions = m.next_dimensions
REMOVE m.next_model, m.next_dimensions, m.switching
