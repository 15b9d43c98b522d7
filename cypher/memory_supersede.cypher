// Links new memories to the retired ones they replace.
// Params: $rows (each: new, old)
// Returns: nothing
UNWIND $rows AS row
MATCH (m:Memory {id: row.new})
MATCH (o:Retired {id: row.old})
MERGE (m)-[:SUPERSEDES]->(o)
