// Makes memories that hold no longer, with their sources and who knew them.
// Params: $space, $rows (each: id, subject_id, object_id, props, sources, aware (each: entity_id, props), vector or null)
// Returns: nothing
UNWIND $rows AS row
MATCH (a:Entity {id: row.subject_id})
MATCH (b:Entity {id: row.object_id})
CREATE (m:Retired {id: row.id, space: $space})
SET m += row.props, m.since = row.props.date
CREATE (m)-[:MEMORY_SUBJECT]->(a)
CREATE (m)-[:MEMORY_OBJECT]->(b)
WITH m, row
CALL (m, row) {
  UNWIND row.sources AS id
  MATCH (x:Source {space: $space, source_id: id})
  MERGE (m)-[:MEMORY_SOURCE]->(x)
}
CALL (m, row) {
  UNWIND row.aware AS knower
  MATCH (e:Entity {id: knower.entity_id})
  MERGE (e)-[k:AWARE_OF]->(m)
  ON CREATE SET k += knower.props
}
WITH m, row WHERE row.vector IS NOT NULL
CALL db.create.setNodeVectorProperty(m, 'embedding', row.vector)
