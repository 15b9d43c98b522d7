// Makes a space, or changes the settings that are given (null keeps one).
// Params: $space, $defaults, $settings, $now
// Returns: space (map), created (bool)
OPTIONAL MATCH (old:Space {name: $space})
WITH old IS NULL AS created
MERGE (s:Space {name: $space})
ON CREATE SET s += $defaults, s.version = 0, s.created_at = $now
SET s += $settings
RETURN s {.*} AS space, created
