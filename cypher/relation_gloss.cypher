// Stores the vectors of what relations mean, where that is still so.
// Params: $space, $rows (each: key, content, key_vector, gloss_vector)
// Returns: nothing
MATCH (s:Space {name: $space})
SET s.vocabulary_id = randomUUID()
WITH s
UNWIND $rows AS row
MATCH (r:Relation {space: $space, key: row.key}) WHERE r.content = row.content
CALL db.create.setNodeVectorProperty(r, 'key_embedding', row.key_vector)
CALL db.create.setNodeVectorProperty(r, 'gloss_embedding', row.gloss_vector)
