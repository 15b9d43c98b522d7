// Whether the vector index finds anything in a space.
// Params: $space, $vector
// Returns: found (int)
MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR $vector WHERE m.space = $space LIMIT 1)
RETURN count(m) AS found
