// The vocabulary in order of date and key.
// Params: $space
// Returns: relation (map), uses (int), current memories
MATCH (r:Relation) WHERE r.space = $space AND r.key > ''
RETURN r {.key, .content, .date, .functional, .symmetric, .inverse, .aliases, .status, .successor} AS relation, COUNT { MATCH (m:Memory {space: $space, relation: r.key}) } AS uses
ORDER BY r.date, r.key
