// Changes relations in place.
// Params: $space, $rows
// Returns: nothing
UNWIND $rows AS row
MATCH (r:Relation {space: $space, key: row.key})
SET r += row
