// What the vectors of this database come from, and where a move to another model
// stands.
// Params: none
// Returns: model (text), dimensions (int), next_model (text or null), next_dimensions (int or null), switching (bool), no row in a new database
MATCH (m:Meta {name: 'relata'})
RETURN m.embedding_model AS model, m.dimensions AS dimensions, m.next_model AS next_model, m.next_dimensions AS next_dimensions,
  coalesce(m.switching, false) AS switching
