// Makes memories with their typed edges and counts them. The type of the edge is the upper-cased
// key, checked against the vocabulary before.
// Params: $space, $rows (each: id, subject_id, object_id, type, date, props, vector or null)
// Returns: nothing
MATCH (s:Space {name: $space})
SET s.memory_count = coalesce(s.memory_count, 0) + size($rows)
WITH s
UNWIND $rows AS row
MATCH (a:Entity {id: row.subject_id})
MATCH (b:Entity {id: row.object_id})
CREATE (m:Memory {id: row.id, space: $space})
SET m += row.props, m.since = row.date
CREATE (m)-[:MEMORY_SUBJECT]->(a)
CREATE (m)-[:MEMORY_OBJECT]->(b)
CREATE (a)-[e:$(row.type) {memory_id: row.id, space: $space, date: row.date}]->(b)
WITH m, row WHERE row.vector IS NOT NULL
CALL db.create.setNodeVectorProperty(m, 'embedding', row.vector)
