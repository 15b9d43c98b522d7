// Gives the turn to the job of a session that waits longest, unless one has it:
// runs, is due, or waits for its next attempt. The session's line is locked. The
// order names all of the index job_waiting, else thousands that wait are sorted.
// Params: $space, $session
// Returns: nothing
OPTIONAL MATCH (head:Job) WHERE head.space = $space AND head.session = $session AND head.due IS NOT NULL
WITH head LIMIT 1
WITH head WHERE head IS NULL
CALL () {
  MATCH (j:Job) WHERE j.space = $space AND j.session = $session AND j.state = 'queued' AND j.seq > 0
  RETURN j ORDER BY j.space, j.session, j.state, j.seq LIMIT 1
}
SET j.due = datetime()
