// Keeps turns that wait to be ingested; one whose id is there already stays as it
// is, and is given back for comparison. The session's line is locked.
// Params: $space, $session, $named (each: source_id, props), $others (each: props)
// Returns: source (map), asked (int, the number it would have got), for each of the named
CALL () {
  UNWIND $others AS row
  CREATE (p:Pending {space: $space, session: $session, created_at: datetime()})
  SET p += row.props
}
UNWIND $named AS row
MERGE (p:Pending {space: $space, source_id: row.source_id})
ON CREATE SET p += row.props, p.session = $session, p.created_at = datetime()
RETURN p {.*} AS source, row.props.seq AS asked
