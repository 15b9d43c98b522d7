// Changes memories in place; the typed edge follows the date.
// Params: $space, $rows (each: id, type, date, props)
// Returns: nothing
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.space = $space
SET m += row.props
WITH m, row
MATCH (m)-[:MEMORY_SUBJECT]->(a:Entity)
MATCH (m)-[:MEMORY_OBJECT]->(b:Entity)
MATCH (a)-[e:$(row.type)]->(b) WHERE e.memory_id = m.id
SET e.date = row.date
