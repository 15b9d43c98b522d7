// Adds relations to a vocabulary, and to the register of types the database has had.
// Params: $space, $rows
// Returns: nothing
UNWIND $rows AS row
MERGE (t:RelationType {key: row.key})
CREATE (r:Relation {space: $space})
SET r += row
