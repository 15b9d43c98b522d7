// Counts what is left of a space, the space itself included.
// Params: $space
// Returns: remaining (int)
CALL () {
  MATCH (n:Memory) WHERE n.space = $space AND n.id IS NOT NULL
  RETURN count(*) AS memories
}
CALL () {
  MATCH (n:Retired) WHERE n.space = $space AND n.id IS NOT NULL
  RETURN count(*) AS retired
}
CALL () {
  MATCH (n:Entity) WHERE n.space = $space AND n.key IS NOT NULL
  RETURN count(*) AS entities
}
CALL () {
  MATCH (n:Alias) WHERE n.space = $space AND n.key IS NOT NULL
  RETURN count(*) AS aliases
}
CALL () {
  MATCH (n:Source) WHERE n.space = $space AND n.source_id IS NOT NULL
  RETURN count(*) AS sources
}
CALL () {
  MATCH (n:Relation) WHERE n.space = $space AND n.key IS NOT NULL
  RETURN count(*) AS relations
}
CALL () {
  MATCH (n:RetiredRelation) WHERE n.space = $space AND n.key IS NOT NULL
  RETURN count(*) AS retired_relations
}
CALL () {
  MATCH (n:Diff) WHERE n.space = $space AND n.id IS NOT NULL
  RETURN count(*) AS diffs
}
CALL () {
  MATCH (n:Answer) WHERE n.space = $space
  RETURN count(*) AS answers
}
CALL () {
  MATCH (n:Job) WHERE n.space = $space AND n.id IS NOT NULL
  RETURN count(*) AS jobs
}
CALL () {
  MATCH (n:JobInput) WHERE n.space = $space
  RETURN count(*) AS inputs
}
CALL () {
  MATCH (n:Line) WHERE n.space = $space AND n.session IS NOT NULL
  RETURN count(*) AS lines
}
CALL () {
  MATCH (n:Pending) WHERE n.space = $space AND n.session IS NOT NULL AND n.seq IS NOT NULL
  RETURN count(*) AS turns
}
RETURN memories + retired + entities + aliases + sources + relations + retired_relations + diffs + answers
  + jobs + inputs + lines + turns
  + COUNT { MATCH (s:Space {name: $space}) } AS remaining
