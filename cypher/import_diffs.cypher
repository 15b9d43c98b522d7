// Writes entries into the ledger and moves the space's version.
// Params: $space, $rows (each: props, texts (each: kind, text), links (each: id, type))
// Returns: nothing
MATCH (s:Space {name: $space})
SET s.version = s.version + size($rows)
WITH s
UNWIND $rows AS row
CREATE (d:Diff {space: $space})
SET d += row.props
FOREACH (t IN row.texts | CREATE (d)-[:ANSWERED_WITH]->(:Answer {space: $space, kind: t.kind, text: t.text, created_at: row.props.created_at}))
WITH d, row
CALL (d, row) {
  UNWIND row.links AS link
  CALL (link) {
    MATCH (m:Memory {id: link.id}) WHERE m.space = $space
    RETURN m
    UNION
    MATCH (m:Retired {id: link.id}) WHERE m.space = $space
    RETURN m
  }
  CREATE (d)-[:$(link.type)]->(m)
}
