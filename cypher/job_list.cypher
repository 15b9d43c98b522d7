// Jobs of a space, newest first; null does not filter.
// Params: $space, $before, $state, $session, $by, $limit
// Returns: job (map)
MATCH (j:Job) WHERE j.space = $space AND j.id < $before
  AND ($state IS NULL OR j.state = $state) AND ($session IS NULL OR j.session = $session) AND ($by IS NULL OR j.by = $by)
RETURN j {.*} AS job
ORDER BY j.space DESC, j.id DESC LIMIT $limit
