// Makes a job without a state, or finds the one of its key, and takes its write
// lock. released: it was done and its diff gave the key back.
// Params: $space, $key, $id
// Returns: job (map), released (bool), no row where there is no such space
MATCH (s:Space {name: $space})
MERGE (j:Job {space: s.name, key: $key})
ON CREATE SET j.id = $id, j.created_at = datetime()
SET j.locked = true
REMOVE j.locked
WITH j
RETURN j {.*} AS job, EXISTS { MATCH (d:Diff) WHERE d.id IN coalesce(j.diff_ids, []) AND d.key IS NULL } AS released
