// Where it comes from: One memory as a picture
// A graph: the memory, its two entities, its messages, who is aware of it, the diffs that touched it, its predecessors.
// Change: space; words, a part of the memory's text.
WITH 'harbour-cafe' AS space, '接任组长' AS words
MATCH (m:Memory) WHERE m.space = space AND m.id >= 0 AND toLower(m.content) CONTAINS toLower(words)
WITH m ORDER BY m.date DESC, m.id LIMIT 1
MATCH whole = (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT|MEMORY_SOURCE|AWARE_OF|ADDED|UPDATED|SUPERSEDES]-()
RETURN whole
LIMIT 100
