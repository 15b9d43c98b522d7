// One job.
// Params: $id
// Returns: job (map), no row where there is none
MATCH (j:Job {id: $id})
RETURN j {.*} AS job
