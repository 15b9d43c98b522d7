// Takes memories out of what is current: the label changes, the typed edge goes.
// Params: $space, $rows (each: id, type, by), $date, $present (names of the personas that were there)
// Returns: retired (int)
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.space = $space
MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)
MATCH (m)-[:MEMORY_OBJECT]->(b:Entity)
MATCH (a)-[e:$(row.type)]->(b) WHERE e.memory_id = m.id
DELETE e
SET m:Retired, m.retired_at = $date, m.retired_by = row.by,
  m.retired_before = CASE row.by WHEN 'remove' THEN $present ELSE [] END
REMOVE m:Memory
WITH count(*) AS retired
MATCH (s:Space {name: $space})
SET s.memory_count = s.memory_count - retired
RETURN retired
