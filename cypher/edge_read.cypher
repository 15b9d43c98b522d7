// Current memories as edges between entities.
// Params: $space, $ids
// Returns: id, relation, subject, object (ids of the entities)
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.space = $space
MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)
MATCH (m)-[:MEMORY_OBJECT]->(b:Entity)
RETURN m.id AS id, m.relation AS relation, a.id AS subject, b.id AS object
