// Records the embedding model in a new database; an old one keeps its own.
// Params: $model, $dimensions, $now
// Returns: nothing
MERGE (m:Meta {name: 'relata'})
ON CREATE SET m.embedding_model = $model, m.dimensions = $dimensions, m.created_at = $now
