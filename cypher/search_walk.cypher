// Graph leg: from the entities that a question names, over memories, up to
// three steps. At each step the memories nearest to the question are followed,
// so that a hub costs no more than any other. A longer name hides a shorter one
// within it; an alias that a memory claims is passed at no cost. A persona walks
// only over what it knows.
// Params: $space, $persona (key of a name, or null), $queries (each: i, vector or null, chars (bool), names (each: key, from, to), index0, index1 or null)
// Returns: i (int), id, relation, terms, chars, date, event_date, cosine, named (of the first step: the entity it started from), path (ids of the memories before it), along (index scores of the memories on the way, its own last)
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH coalesce(declared, same) AS p
UNWIND $queries AS q
CALL (p, q) {
  UNWIND q.names AS n
  OPTIONAL MATCH (:Alias {space: $space, key: n.key})-[:ENTITY_ALIAS]->(declared:Entity)
  OPTIONAL MATCH (same:Entity {space: $space, key: n.key})
  WITH p, n, [x IN [declared, same] WHERE x IS NOT NULL] AS found WHERE size(found) > 0
  WITH p, collect({from: n.from, to: n.to, found: found}) AS spans
  UNWIND [a IN spans WHERE none(b IN spans WHERE b.from <= a.from AND b.to >= a.to AND b.to - b.from > a.to - a.from)] AS span
  UNWIND span.found AS e
  WITH DISTINCT p, e LIMIT 12
  CALL (e, p) {
    MATCH (e)-[r:ALIAS_OF]-(twin:Entity) WHERE twin <> e
    MATCH (a:Memory {id: r.memory_id}) WHERE $persona IS NULL OR p IN [(a)<-[:AWARE_OF]-(k) | k]
    WITH twin LIMIT 6
    RETURN collect(twin) AS twins
  }
  UNWIND [e] + twins AS seed
  RETURN collect(DISTINCT seed) AS seeds
}
CALL (p, q, seeds) {
  UNWIND seeds AS x
  CALL (p, q, x) {
    MATCH (x)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m:Memory) WHERE ($persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k])
    WITH DISTINCT m LIMIT 100
    RETURN m, CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN 0.5 ELSE vector.similarity.cosine(m.embedding, q.vector) END AS c
    ORDER BY c DESC LIMIT 30
  }
  WITH m, collect(x.name)[0] AS named, max(c) AS c ORDER BY c DESC LIMIT 40
  RETURN collect({m: m, named: named, path: [], along: [c]}) AS hop1
}
CALL (p, q, seeds, hop1) {
  UNWIND hop1 AS h
  WITH h.m AS via, h.along[0] AS c
  MATCH (via)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(y:Entity) WHERE NOT y IN seeds
  WITH y, via, c ORDER BY c DESC
  WITH y, collect(via)[0] AS via, max(c) AS c
  ORDER BY c DESC LIMIT 10
  CALL (y, p) {
    MATCH (y)-[r:ALIAS_OF]-(twin:Entity) WHERE twin <> y
    MATCH (a:Memory {id: r.memory_id}) WHERE $persona IS NULL OR p IN [(a)<-[:AWARE_OF]-(k) | k]
    WITH twin LIMIT 3
    RETURN collect(twin) AS twins
  }
  UNWIND [y] + twins AS z
  CALL (p, q, z, via) {
    MATCH (z)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m:Memory) WHERE m <> via AND ($persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k])
    WITH DISTINCT m LIMIT 20
    RETURN m, CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN 0.5 ELSE vector.similarity.cosine(m.embedding, q.vector) END AS c2
    ORDER BY c2 DESC LIMIT 12
  }
  WITH z, via, c, m, c2 ORDER BY c + c2 DESC
  WITH m, collect({from: z, via: via, c: c, c2: c2})[0] AS best
  ORDER BY best.c + best.c2 DESC LIMIT 30
  RETURN collect({m: m, from: best.from, via: best.via, path: [best.via.id], along: [best.c, best.c2]}) AS hop2
}
CALL (p, q, seeds, hop2) {
  UNWIND hop2 AS h
  WITH h, h.m AS via
  MATCH (via)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(y:Entity) WHERE y <> h.from AND NOT y IN seeds
  WITH y, h, h.along[0] + h.along[1] AS c ORDER BY c DESC
  WITH y, collect(h)[0] AS h, max(c) AS c
  ORDER BY c DESC LIMIT 6
  CALL (p, q, y, h) {
    MATCH (y)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m:Memory) WHERE m <> h.m AND m <> h.via AND ($persona IS NULL OR p IN [(m)<-[:AWARE_OF]-(k) | k])
    WITH DISTINCT m LIMIT 12
    RETURN m, CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN 0.5 ELSE vector.similarity.cosine(m.embedding, q.vector) END AS c3
    ORDER BY c3 DESC LIMIT 10
  }
  WITH h, m, c3 ORDER BY h.along[0] + h.along[1] + c3 DESC
  WITH m, collect({h: h, c3: c3})[0] AS best
  ORDER BY best.h.along[0] + best.h.along[1] + best.c3 DESC LIMIT 15
  RETURN collect({m: m, path: best.h.path + best.h.m.id, along: best.h.along + best.c3}) AS hop3
}
UNWIND hop1 + hop2 + hop3 AS h
WITH p, q, h, h.m AS m
WHERE (q.index0 IS NULL OR m.index0 = q.index0)
  AND (q.index1 IS NULL OR q.index1 = CASE WHEN $persona IS NULL OR m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT]->(p) } THEN 'self'
      WHEN EXISTS { (m)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(:Entity)<-[:PERSONA_OWNER]-(p) } THEN 'owner'
      ELSE 'other' END)
RETURN q.i AS i, m.id AS id, m.relation AS relation, m.terms AS terms,
  CASE WHEN q.chars THEN m.chars END AS chars, m.date AS date, m.event_date AS event_date,
  CASE WHEN q.vector IS NULL THEN null ELSE last(h.along) END AS cosine, h.named AS named, h.path AS path, h.along AS along
