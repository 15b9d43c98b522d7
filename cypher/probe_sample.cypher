// A memory that the indexes must find.
// Params: none
// Returns: space, terms (texts), embedding (list or null), no row where there is none
MATCH (m:Memory)
WITH m LIMIT 50
WHERE m.terms <> ''
RETURN m.space AS space, m.terms AS terms, m.embedding AS embedding LIMIT 1
