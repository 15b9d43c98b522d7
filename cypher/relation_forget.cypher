// Takes away the vectors of what some relations mean.
// Params: $limit
// Returns: count (int)
MATCH (r:Relation) WHERE r.gloss_embedding IS NOT NULL
WITH r LIMIT $limit
REMOVE r.key_embedding, r.gloss_embedding
RETURN count(r) AS count
