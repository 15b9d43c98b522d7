// Carries the history of a renamed relation along.
// Params: $space, $from, $to
// Returns: nothing
MATCH (m:Retired {space: $space, relation: $from})
SET m.relation = $to
