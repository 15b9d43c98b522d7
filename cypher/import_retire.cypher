// Retires current memories, each at its own time; others stay as they are.
// Params: $space, $rows (each: id, date)
// Returns: retired (int)
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.space = $space
MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)
MATCH (m)-[:MEMORY_OBJECT]->(b:Entity)
MATCH (a)-[e:$(toUpper(m.relation))]->(b) WHERE e.memory_id = m.id
DELETE e
SET m:Retired, m.retired_at = row.date, m.retired_by = 'replace'
REMOVE m:Memory
WITH count(*) AS retired
MATCH (s:Space {name: $space})
SET s.memory_count = s.memory_count - retired
RETURN retired
