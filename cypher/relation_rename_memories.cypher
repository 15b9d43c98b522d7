// Carries the memories of a renamed relation and their typed edges along.
// Params: $space, $from, $to, $from_type, $to_type
// Returns: carried (int), current memories
MATCH (m:Memory {space: $space, relation: $from})
MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)
MATCH (m)-[:MEMORY_OBJECT]->(b:Entity)
MATCH (a)-[old:$($from_type)]->(b) WHERE old.memory_id = m.id
CREATE (a)-[new:$($to_type)]->(b)
SET new = properties(old), m.relation = $to
DELETE old
RETURN count(*) AS carried
