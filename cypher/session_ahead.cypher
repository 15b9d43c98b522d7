// What a session has before it: turns that are not a job yet, and the job that
// comes last of those that wait or run.
// Params: $space, $session
// Returns: waiting (bool), job (map, null where none waits or runs)
OPTIONAL MATCH (l:Line {space: $space, session: $session})
OPTIONAL MATCH (j:Job) WHERE j.space = $space AND j.session = $session AND j.state IN ['queued', 'running'] AND j.seq > 0
WITH l, j ORDER BY j.seq DESC LIMIT 1
RETURN coalesce(l.turns, 0) > 0 AS waiting, j {.*} AS job
