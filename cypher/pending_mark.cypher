// Gives the turns from a number to another to a job; batch is its key, under
// which their diff will stand in the ledger.
// Params: $space, $session, $from, $to, $job, $batch
// Returns: nothing
MATCH (p:Pending) WHERE p.space = $space AND p.session = $session AND p.seq >= $from AND p.seq <= $to AND p.job IS NULL
SET p.job = $job, p.batch = $batch
