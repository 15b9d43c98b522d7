// What the vectors of this database come from.
// Params: none
// Returns: model (text), dimensions (int), no row in a new database
MATCH (m:Meta {name: 'relata'})
RETURN m.embedding_model AS model, m.dimensions AS dimensions
