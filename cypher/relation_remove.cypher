// Takes relations out of a vocabulary; their keys stay in the register.
// Params: $space, $keys, $date
// Returns: nothing
MATCH (s:Space {name: $space})
SET s.vocabulary_id = randomUUID()
WITH s
UNWIND $keys AS key
MATCH (r:Relation {space: $space, key: key})
SET r:RetiredRelation, r.removed_at = $date
REMOVE r:Relation
