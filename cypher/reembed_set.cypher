// Keeps vectors of another model beside those in use.
// Params: $rows (each: id, vector)
// Returns: nothing
UNWIND $rows AS row
CALL (row) {
  MATCH (m:Memory {id: row.id})
  RETURN m
  UNION ALL
  MATCH (m:Retired {id: row.id})
  RETURN m
}
CALL db.create.setNodeVectorProperty(m, 'embedding_next', row.vector)
