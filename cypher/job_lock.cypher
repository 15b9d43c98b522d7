// Takes the locks of a job's line and of the job, always in this order, before
// anything of them is read.
// Params: $id
// Returns: id (int), no row where there is no such job
MATCH (j:Job {id: $id})
OPTIONAL MATCH (l:Line {space: j.space, session: j.session})
SET l.locked = true
REMOVE l.locked
SET j.locked = true
REMOVE j.locked
RETURN j.id AS id
