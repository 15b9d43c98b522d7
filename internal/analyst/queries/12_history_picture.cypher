// What changed: A history as a picture
// A graph: the memory with all versions before it, the diffs that added and retired them, and their messages.
// Change: space; words, a part of the text of the newest version.
WITH 'harbour-cafe' AS space, '桌游夜改到线上' AS words
MATCH (m:Memory) WHERE m.space = space AND m.id >= 0 AND toLower(m.content) CONTAINS toLower(words)
WITH m ORDER BY m.date DESC, m.id LIMIT 1
MATCH chain = (m)-[:SUPERSEDES*0..50]->(v:Memory|Retired)
OPTIONAL MATCH ledger = (:Diff)-[:ADDED|UPDATED|RETIRED]->(v)
OPTIONAL MATCH evidence = (v)-[:MEMORY_SOURCE]->(:Source)
RETURN chain, ledger, evidence
LIMIT 200
