// The vocabulary: Lookalike entities
// Entities that may be duplicates: pairs where one name begins with the other, with the most neighbours in common first.
// `said` is what memories say of the pair: alias_of (the same), differ_from (not the same), or nothing: then look, and
// declare an alias or leave it.
// Change: space; longest, how many characters the longer name may have more.
WITH 'harbour-cafe' AS space, 4 AS longest
MATCH (a:Entity) WHERE a.space = space AND a.key >= '' AND size(a.key) > 1
MATCH (b:Entity) WHERE b.space = space AND b.key STARTS WITH a.key AND a <> b AND size(b.key) - size(a.key) <= longest
OPTIONAL MATCH (a)-[r]-(b) WHERE r.memory_id IS NOT NULL
WITH a, b, collect(DISTINCT toLower(type(r))) AS said
RETURN a.name AS one, b.name AS other, said,
  size([(a)-[r1]-(c:Entity)-[r2]-(b) WHERE r1.memory_id IS NOT NULL AND r2.memory_id IS NOT NULL | c]) AS ways_in_common,
  COUNT { MATCH (m:Memory)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(a) RETURN DISTINCT m } AS memories_of_one,
  COUNT { MATCH (m:Memory)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(b) RETURN DISTINCT m } AS memories_of_other
ORDER BY ways_in_common DESC, one, other
LIMIT 100
