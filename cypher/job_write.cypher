// Changes a job whose lock is held. wait is in how many milliseconds it is due;
// null: it is not, for it has ended or waits for others of its session. keep
// leaves that as it is.
// Params: $id, $props, $wait, $keep (bool)
// Returns: nothing
MATCH (j:Job {id: $id})
SET j += $props, j.updated_at = datetime(),
  j.due = CASE WHEN $keep THEN j.due WHEN $wait IS NULL THEN null ELSE datetime() + duration({milliseconds: $wait}) END
