// The job of a session that comes last of those that wait or run.
// Params: $space, $session
// Returns: job (map), no row where none waits or runs
MATCH (j:Job) WHERE j.space = $space AND j.session = $session AND j.state IN ['queued', 'running'] AND j.seq > 0
RETURN j {.*} AS job
ORDER BY j.seq DESC LIMIT 1
