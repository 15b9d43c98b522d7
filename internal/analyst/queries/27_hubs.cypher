// The vocabulary: Most talked of
// Entities by the number of memories that hold with them as subject or object, and how many of each; one that has it on both
// ends, such as its own alias, counts once.
// Change: space.
WITH 'harbour-cafe' AS space
MATCH (e:Entity) WHERE e.space = space AND e.key >= ''
WITH e, COUNT { (:Memory)-[:MEMORY_SUBJECT]->(e) } AS as_subject, COUNT { (:Memory)-[:MEMORY_OBJECT]->(e) } AS as_object
RETURN e.name AS entity, e.kind AS kind, COUNT { MATCH (m:Memory)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(e) RETURN DISTINCT m } AS memories, as_subject, as_object
ORDER BY memories DESC, entity
LIMIT 25
