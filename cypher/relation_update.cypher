// Changes relations in place.
// Params: $space, $rows
// Returns: nothing
MATCH (s:Space {name: $space})
SET s.vocabulary_id = randomUUID()
WITH s
UNWIND $rows AS row
MATCH (r:Relation {space: $space, key: row.key})
SET r += row
