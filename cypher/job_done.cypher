// Deletes what a job that is done no longer needs: its input, and the turns that
// it was made of, which are messages now.
// Params: $id
// Returns: nothing
CALL () {
  MATCH (i:JobInput {job: $id})
  DETACH DELETE i
}
CALL () {
  MATCH (p:Pending) WHERE p.job = $id
  DETACH DELETE p
}
