// The vocabulary: Kinds of memories
// How many memories hold in each category, and which relations they use most.
// Change: space.
WITH 'harbour-cafe' AS space
MATCH (m:Memory) WHERE m.space = space AND m.id >= 0
WITH m.index0 AS index0, m.index1 AS index1, m.relation AS relation, count(*) AS n
ORDER BY n DESC, relation
RETURN index0, index1, sum(n) AS memories, collect(relation + ' ' + toString(n))[..5] AS relations
ORDER BY memories DESC, index0, index1
LIMIT 50
