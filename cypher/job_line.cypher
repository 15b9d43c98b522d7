// Takes the lock of a session's line for the rest of the transaction, before
// anything of the session's jobs and turns is read, and hands out numbers in
// order of arrival. quiet is how long ago the last turn came.
// Params: $space, $session, $count
// Returns: first (int), line (map), quiet (milliseconds), no row where there is no such space
MATCH (s:Space {name: $space})
MERGE (l:Line {space: s.name, session: $session})
SET l.locked = true
REMOVE l.locked
SET l.next = coalesce(l.next, 1) + $count
RETURN l.next - $count AS first, l {.*} AS line,
  datetime().epochMillis - coalesce(l.last_at, datetime()).epochMillis AS quiet
