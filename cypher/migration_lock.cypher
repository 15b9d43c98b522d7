// Takes or renews the lease of migrations; a lease that ran out may be taken.
// Params: $owner, $now, $until
// Returns: owner (text), no row where another holds it
MERGE (l:MigrationLock {name: 'migrations'})
ON CREATE SET l.owner = $owner, l.until = $until
WITH l
SET l.name = l.name
WITH l WHERE l.owner = $owner OR l.owner IS NULL OR l.until < $now
SET l.owner = $owner, l.until = $until
RETURN l.owner AS owner
