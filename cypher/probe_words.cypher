// Whether the text index finds anything for a query.
// Params: $text
// Returns: found (int)
CALL db.index.fulltext.queryNodes('memory_terms', $text, {limit: 1}) YIELD node
RETURN count(node) AS found
