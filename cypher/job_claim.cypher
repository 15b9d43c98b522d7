// Gives the job that has been due longest to an owner, with its input: one that
// waits, or one whose lease ran out. Not taken: another was faster. What decides
// is read again after the write lock, by another name: a value read before would
// be out of date.
// Params: $kinds, $spaces (null for all), $owner, $lease (milliseconds)
// Returns: job (map), input (text), taken (bool), no row where nothing is due
CALL () {
  UNWIND $kinds AS kind
  CALL (kind) {
    MATCH (x:Job) WHERE x.kind = kind AND x.due <= datetime() AND ($spaces IS NULL OR x.space IN $spaces)
    WITH x ORDER BY x.kind, x.due LIMIT 1
    RETURN x
  }
  WITH x ORDER BY x.due LIMIT 1
  RETURN x AS first
}
SET first.locked = true
REMOVE first.locked
WITH first.id AS id
MATCH (j:Job {id: id})
WITH j, coalesce(j.due <= datetime(), false) AS taken
FOREACH (x IN CASE WHEN taken THEN [j] ELSE [] END |
  SET x.state = 'running', x.owner = $owner, x.attempts = x.attempts + 1, x.updated_at = datetime(),
    x.due = datetime() + duration({milliseconds: $lease}))
WITH j, taken
OPTIONAL MATCH (i:JobInput {job: j.id})
RETURN j {.*} AS job, i.text AS input, taken
