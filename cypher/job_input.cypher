// Keeps a job's input in a node of its own, for it may be large.
// Params: $space, $id, $text
// Returns: nothing
MERGE (i:JobInput {job: $id})
SET i.space = $space, i.text = $text
