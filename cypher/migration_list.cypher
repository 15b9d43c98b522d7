// The migrations that were applied.
// Params: none
// Returns: version (int), checksum (text)
MATCH (m:Migration)
RETURN m.version AS version, m.checksum AS checksum
ORDER BY m.version
