// The relations of a space whose meaning has no vector yet.
// Params: $space
// Returns: key, content (texts)
MATCH (r:Relation) WHERE r.space = $space AND r.key > '' AND r.gloss_embedding IS NULL
RETURN r.key AS key, r.content AS content
ORDER BY r.key
