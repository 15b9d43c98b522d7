// Takes knowledge of memories, current or retired, from somebody.
// Params: $space, $rows (each: id, entity_id)
// Returns: nothing
UNWIND $rows AS row
CALL (row) {
  MATCH (m:Memory {id: row.id}) WHERE m.space = $space
  RETURN m
  UNION
  MATCH (m:Retired {id: row.id}) WHERE m.space = $space
  RETURN m
}
MATCH (m)<-[k:AWARE_OF]-(e:Entity) WHERE e.id = row.entity_id
DELETE k
