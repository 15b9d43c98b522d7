// A session's timeline: the newest messages before or the oldest after a message.
// Params: $space, $session, $before, $after, $limit, $persona
// Returns: source (map)
CALL () {
  WITH $after AS after WHERE after = 0
  MATCH (x:Source) WHERE x.space = $space AND x.session = $session AND x.source_id < $before
    AND ($persona IS NULL OR $persona IN x.present)
  WITH x ORDER BY x.source_id DESC LIMIT $limit
  RETURN x
  UNION ALL
  WITH $after AS after WHERE after > 0
  MATCH (x:Source) WHERE x.space = $space AND x.session = $session AND x.source_id > after AND x.source_id < $before
    AND ($persona IS NULL OR $persona IN x.present)
  WITH x ORDER BY x.source_id LIMIT $limit
  RETURN x
}
RETURN x {.*} AS source ORDER BY x.source_id
