// Deletes jobs that ended well or were cancelled some time ago, with what is left
// of their inputs and turns. A state read before the lock could be out of date.
// Params: $spaces (null for all), $age (milliseconds), $limit
// Returns: deleted (int)
MATCH (x:Job) WHERE x.state IN ['done', 'cancelled'] AND x.updated_at <= datetime() - duration({milliseconds: $age})
  AND ($spaces IS NULL OR x.space IN $spaces)
WITH x LIMIT $limit
SET x.locked = true
REMOVE x.locked
WITH x.id AS id
MATCH (j:Job {id: id}) WHERE j.state IN ['done', 'cancelled']
WITH collect(j) AS jobs, collect(j.id) AS ids
CALL (ids) {
  MATCH (i:JobInput) WHERE i.job IN ids
  DETACH DELETE i
}
CALL (ids) {
  MATCH (p:Pending) WHERE p.job IN ids
  DETACH DELETE p
}
CALL (jobs) {
  UNWIND jobs AS j
  DETACH DELETE j
}
RETURN size(ids) AS deleted
