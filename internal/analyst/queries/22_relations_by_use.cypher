// The vocabulary: Relations by use
// Each relation of the vocabulary with what it means, how many memories use it now, how many did, and when it was last
// written. Those with no use at the end of the list may go.
// Change: space.
WITH 'harbour-cafe' AS space
MATCH (s:Space {name: space})
MATCH (r:Relation) WHERE r.space = space AND r.key >= ''
CALL (r) {
  OPTIONAL MATCH (m:Memory {space: r.space, relation: r.key})
  RETURN count(m) AS uses, max(m.date) AS last
}
RETURN r.key AS relation, r.content AS meaning, uses, COUNT { (o:Retired {space: r.space, relation: r.key}) } AS retired,
  CASE WHEN last IS NOT NULL THEN replace(left(toString(datetime({datetime: last, timezone: s.timezone})), 16), 'T', ' ') END AS last_written, r.status AS status, r.functional AS functional, r.symmetric AS symmetric, r.inverse AS inverse
ORDER BY uses DESC, retired DESC, relation
LIMIT 500
