// Gives the lease of migrations back.
// Params: $owner
// Returns: nothing
MATCH (l:MigrationLock {name: 'migrations'}) WHERE l.owner = $owner
SET l.owner = null
