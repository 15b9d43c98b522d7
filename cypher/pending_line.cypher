// Notes what of a session waits to be ingested. wait is in how many milliseconds
// it is due, null where nothing waits. The session's line is locked.
// Params: $space, $session, $turns, $tokens, $people, $arrived (bool: a turn came just now), $wait
// Returns: nothing
MATCH (l:Line {space: $space, session: $session})
SET l.turns = $turns, l.tokens = $tokens, l.people = $people,
  l.last_at = CASE WHEN $arrived THEN datetime() ELSE l.last_at END,
  l.due = CASE WHEN $wait IS NULL THEN null ELSE datetime() + duration({milliseconds: $wait}) END
