// What the relations of a space mean, as vectors.
// Params: $space
// Returns: key, content, inverse (texts; none for no inverse), aliases (list of texts), key_vector, gloss_vector (lists of floats)
MATCH (r:Relation) WHERE r.space = $space AND r.key > '' AND r.gloss_embedding IS NOT NULL
RETURN r.key AS key, r.content AS content, r.inverse AS inverse, r.aliases AS aliases, r.key_embedding AS key_vector, r.gloss_embedding AS gloss_vector
ORDER BY r.key
