// The memories, current and retired, that have one of some fingerprints.
// Params: $space, $fingerprints
// Returns: fingerprint, id, relation, date, retired_at (null while current)
UNWIND $fingerprints AS fingerprint
CALL (fingerprint) {
  MATCH (m:Memory {space: $space, fingerprint: fingerprint}) WHERE m.relation IS NOT NULL
  RETURN m
  UNION ALL
  MATCH (m:Retired {space: $space, fingerprint: fingerprint})
  RETURN m
}
RETURN fingerprint, m.id AS id, m.relation AS relation, m.date AS date, m.retired_at AS retired_at
ORDER BY m.id
