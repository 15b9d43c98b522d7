// What changed: The ledger
// The diffs of a space, newest first: when, from which session, who asked, what became of it, how many memories it
// added, updated and retired, and what the model call took (usage, as JSON).
// Change: space.
WITH 'harbour-cafe' AS space
MATCH (s:Space {name: space})
MATCH (d:Diff) WHERE d.space = space AND d.id >= 0
WITH s, d ORDER BY d.id DESC LIMIT 50
RETURN replace(left(toString(datetime({datetime: d.date, timezone: s.timezone})), 16), 'T', ' ') AS date, d.session AS session, d.by AS asked_by, d.present AS present, d.status AS status,
  COUNT { (d)-[:ADDED]->() } AS added, COUNT { (d)-[:UPDATED]->() } AS updated, COUNT { (d)-[:RETIRED]->() } AS retired,
  d.truncated AS cut_off, d.usage AS usage, d.id AS diff
ORDER BY diff DESC
