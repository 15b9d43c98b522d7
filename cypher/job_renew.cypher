// Prolongs an owner's lease of a running job and notes how far it is.
// Params: $id, $owner, $lease (milliseconds), $done, $total
// Returns: job (map), no row where the owner no longer has it
MATCH (j:Job {id: $id})
SET j.locked = true
REMOVE j.locked
WITH j WHERE j.state = 'running' AND j.owner = $owner
SET j.due = datetime() + duration({milliseconds: $lease}), j.done = $done, j.total = $total, j.updated_at = datetime()
RETURN j {.*} AS job
