// Gives a relation a new key; the old one stays in the register of keys.
// Params: $space, $from, $row
// Returns: nothing
MATCH (s:Space {name: $space})
SET s.vocabulary_id = randomUUID()
WITH s
MATCH (r:Relation {space: $space, key: $from})
SET r += $row
MERGE (:RelationType {key: $row.key})
CREATE (:RetiredRelation {space: $space, key: $from, successor: $row.key, removed_at: $row.date})
