// Writes a diff into the ledger and moves the space's version. Texts of the
// model's answer and of what waits for approval stand in nodes of their own.
// Params: $space, $props, $texts (each: kind, text), $added, $updated, $retired
// Returns: version (int)
MATCH (s:Space {name: $space})
SET s.version = s.version + 1
CREATE (d:Diff {space: $space})
SET d += $props
FOREACH (t IN $texts | CREATE (d)-[:ANSWERED_WITH]->(:Answer {space: $space, kind: t.kind, text: t.text, created_at: $props.created_at}))
WITH s, d
CALL (d) {
  UNWIND $added AS id
  MATCH (m:Memory {id: id})
  CREATE (d)-[:ADDED]->(m)
}
CALL (d) {
  UNWIND $updated AS id
  MATCH (m:Memory {id: id})
  CREATE (d)-[:UPDATED]->(m)
}
CALL (d) {
  UNWIND $retired AS id
  MATCH (m:Retired {id: id})
  CREATE (d)-[:RETIRED]->(m)
}
RETURN s.version AS version
