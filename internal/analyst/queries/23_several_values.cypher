// The vocabulary: Several values
// Subjects with more than one current value of a relation that is not functional. Where one of them should have
// replaced the other, make the relation functional; where both hold, all is well.
// Change: space; relation, a key, or '' for all of them.
WITH 'harbour-cafe' AS space, '' AS relation
MATCH (r:Relation) WHERE r.space = space AND r.key >= '' AND (relation = '' OR r.key = relation) AND NOT coalesce(r.functional, false)
MATCH (m:Memory {space: r.space, relation: r.key})-[:MEMORY_SUBJECT]->(e:Entity)
WITH e, r, m ORDER BY m.date, m.id
WITH e, r, collect(DISTINCT m.object) AS values, collect(m.content) AS memories
WHERE size(values) > 1
RETURN e.name AS subject, r.key AS relation, size(values) AS count, values, memories
ORDER BY count DESC, subject, relation
LIMIT 100
