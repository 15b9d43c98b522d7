// Adds relations to a vocabulary, and to the register of types the database has had.
// Params: $space, $rows
// Returns: nothing
MATCH (s:Space {name: $space})
SET s.vocabulary_id = randomUUID()
WITH s
UNWIND $rows AS row
MERGE (t:RelationType {key: row.key})
CREATE (r:Relation {space: $space})
SET r += row
