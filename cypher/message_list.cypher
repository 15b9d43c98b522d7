// A session's timeline in order of date and id: the newest messages before or
// the oldest after a message. Messages without a date stand first.
// Params: $space, $session, $before, $after (ids, 0 for none), $limit, $persona
// Returns: source (map)
OPTIONAL MATCH (b:Source {space: $space, source_id: $before})
OPTIONAL MATCH (a:Source {space: $space, source_id: $after})
WITH coalesce(b.date, datetime({epochSeconds: 0})) AS until, coalesce(a.date, datetime({epochSeconds: 0})) AS since, b, a
CALL (until, since, b, a) {
  MATCH (x:Source) WHERE x.space = $space AND x.session = $session AND x.source_id IS NOT NULL AND x.kind = 'message' AND ($persona IS NULL OR $persona IN x.present)
  WITH x, coalesce(x.date, datetime({epochSeconds: 0})) AS at, until, since, b, a
  WHERE ($before = 0 OR b IS NULL AND x.source_id < $before OR b IS NOT NULL AND (at < until OR at = until AND x.source_id < $before))
    AND ($after = 0 OR a IS NULL AND x.source_id > $after OR a IS NOT NULL AND (at > since OR at = since AND x.source_id > $after))
  RETURN x, at
}
WITH x, at ORDER BY CASE WHEN $after = 0 THEN -at.epochMillis ELSE at.epochMillis END, CASE WHEN $after = 0 THEN -x.source_id ELSE x.source_id END
LIMIT $limit
RETURN x {.*} AS source ORDER BY at, x.source_id
