// Memories as bare nodes with their vectors: the least that a bulk write costs.
UNWIND $rows AS row
CREATE (m:Memory {id: row.id, space: $space, content: row.content})
WITH m, row
CALL db.create.setNodeVectorProperty(m, 'embedding', row.vector)
