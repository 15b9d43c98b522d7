// The three legs of a batch of questions in one round trip: candidates with the
// scores of each leg. Fusing them is the caller's work.
// Params: $space, $persona (key of a name, or null), $retired (bool), $queries (each: i, vector or null, text, index0, index1 or null, names)
// Returns: no row where there is no such space; persona_known (bool), i (int), candidates (list of maps: id, cosine, text, hops, path, along, retired)
MATCH (s:Space {name: $space})
OPTIONAL MATCH (:Alias {space: $space, key: $persona})-[:ENTITY_ALIAS]->(declared:Persona)
OPTIONAL MATCH (same:Entity {space: $space, key: $persona}) WHERE same:Persona
WITH s, coalesce(declared, same) AS p
OPTIONAL MATCH (p)-[:PERSONA_OWNER]->(owner:Entity)
WITH s, p, owner, $persona IS NULL OR p IS NOT NULL AS persona_known,
  CASE WHEN p IS NULL THEN 0 ELSE COUNT { (p)-[:AWARE_OF]->() } END AS known
UNWIND $queries AS q
// Vector leg: inside the index where the category is as stored; exact where a
// persona knows little; else over-fetched and filtered by what it knows. Of the
// branches one alone has rows.
CALL (q, p, known) {
  CALL (q, p, known) {
    WITH q WHERE q.vector IS NOT NULL AND p IS NULL AND q.index0 IS NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 100)
    RETURN m
    UNION ALL
    WITH q WHERE q.vector IS NOT NULL AND p IS NULL AND q.index0 IS NOT NULL AND q.index1 IS NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space AND m.index0 = q.index0 LIMIT 100)
    RETURN m
    UNION ALL
    WITH q WHERE q.vector IS NOT NULL AND p IS NULL AND q.index0 IS NOT NULL AND q.index1 IS NOT NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space AND m.index0 = q.index0 AND m.index1 = q.index1 LIMIT 100)
    RETURN m
    UNION ALL
    WITH q, p WHERE q.vector IS NOT NULL AND p IS NOT NULL AND known <= 2000
    MATCH (p)-[:AWARE_OF]->(m:Memory) WHERE (q.index0 IS NULL OR m.index0 = q.index0) AND m.embedding IS NOT NULL
    WITH q, m ORDER BY vector.similarity.cosine(m.embedding, q.vector) DESC LIMIT 100
    RETURN m
    UNION ALL
    WITH q, p WHERE q.vector IS NOT NULL AND p IS NOT NULL AND known > 2000 AND q.index0 IS NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space LIMIT 1000)
    WITH p, m WHERE EXISTS { (p)-[:AWARE_OF]->(m) }
    RETURN m LIMIT 100
    UNION ALL
    WITH q, p WHERE q.vector IS NOT NULL AND p IS NOT NULL AND known > 2000 AND q.index0 IS NOT NULL
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR q.vector WHERE m.space = $space AND m.index0 = q.index0 LIMIT 1000)
    WITH p, m WHERE EXISTS { (p)-[:AWARE_OF]->(m) }
    RETURN m LIMIT 100
    UNION ALL
    // What was replaced or removed.
    WITH q, p WHERE $retired AND q.vector IS NOT NULL
    MATCH (m:Retired) SEARCH m IN (VECTOR INDEX retired_vector FOR q.vector WHERE m.space = $space LIMIT 200)
    WITH q, p, m WHERE (q.index0 IS NULL OR m.index0 = q.index0) AND (p IS NULL OR EXISTS { (p)-[:AWARE_OF]->(m) })
    RETURN m LIMIT 100
  }
  RETURN collect(m) AS near
}
// Text leg: the space and the stored category are part of the query.
CALL (q, p) {
  CALL (q, p) {
    WITH q, p WHERE q.text <> ''
    CALL db.index.fulltext.queryNodes('memory_terms', q.text, {limit: CASE WHEN p IS NULL THEN 100 ELSE 1000 END}) YIELD node, score
    WITH p, node, score WHERE p IS NULL OR EXISTS { (p)-[:AWARE_OF]->(node) }
    RETURN node, score LIMIT 100
    UNION ALL
    WITH q, p WHERE $retired AND q.text <> ''
    CALL db.index.fulltext.queryNodes('retired_terms', q.text, {limit: CASE WHEN p IS NULL THEN 100 ELSE 1000 END}) YIELD node, score
    WITH p, node, score WHERE p IS NULL OR EXISTS { (p)-[:AWARE_OF]->(node) }
    RETURN node, score LIMIT 100
  }
  RETURN collect({m: node, score: score}) AS worded
}
// Graph leg, part 1: the entities that the question names. A longer name hides a
// shorter one within it. An alias that a memory claims passes at no cost.
CALL (q, p) {
  UNWIND q.names AS n
  OPTIONAL MATCH (:Alias {space: $space, key: n.key})-[:ENTITY_ALIAS]->(declared:Entity)
  OPTIONAL MATCH (same:Entity {space: $space, key: n.key})
  WITH q, p, n, [x IN [declared, same] WHERE x IS NOT NULL] AS found
  WITH q, p, collect({from: n.from, to: n.to, found: found}) AS spans
  WITH p, [a IN spans WHERE size(a.found) > 0
    AND none(b IN spans WHERE size(b.found) > 0 AND b.from <= a.from AND b.to >= a.to AND b.to - b.from > a.to - a.from)] AS spans
  UNWIND spans AS span
  UNWIND span.found AS e
  WITH DISTINCT p, e LIMIT 12
  CALL (e, p) {
    MATCH (e)-[r:ALIAS_OF]-(twin:Entity) WHERE twin <> e
    MATCH (m:Memory {id: r.memory_id}) WHERE p IS NULL OR EXISTS { (p)-[:AWARE_OF]->(m) }
    WITH twin LIMIT 6
    RETURN collect(twin) AS twins
  }
  UNWIND [e] + twins AS seed
  RETURN collect(DISTINCT seed) AS seeds
}
// Part 2: from there over memories, at each step the ones nearest to the
// question, so that a hub costs no more than any other.
CALL (q, p, seeds) {
  UNWIND seeds AS x
  CALL (x, q, p) {
    MATCH (x)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m:Memory) WHERE p IS NULL OR EXISTS { (p)-[:AWARE_OF]->(m) }
    WITH DISTINCT q, m LIMIT 100
    WITH m, CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN 0.5 ELSE vector.similarity.cosine(m.embedding, q.vector) END AS c
    ORDER BY c DESC LIMIT 30
    RETURN m, c
  }
  WITH m, max(c) AS c ORDER BY c DESC LIMIT 60
  RETURN collect({m: m, c: c}) AS hop1
}
CALL (q, p, seeds, hop1) {
  UNWIND hop1 AS h
  WITH q, p, seeds, h.m AS via, h.c AS c
  MATCH (via)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(y:Entity) WHERE NOT y IN seeds
  WITH q, p, y, via, c ORDER BY c DESC
  WITH q, p, y, collect(via)[0] AS via, max(c) AS c
  ORDER BY c DESC LIMIT 16
  CALL (y, p) {
    MATCH (y)-[r:ALIAS_OF]-(twin:Entity) WHERE twin <> y
    MATCH (a:Memory {id: r.memory_id}) WHERE p IS NULL OR EXISTS { (p)-[:AWARE_OF]->(a) }
    WITH twin LIMIT 3
    RETURN collect(twin) AS twins
  }
  UNWIND [y] + twins AS z
  CALL (z, q, p, via) {
    MATCH (z)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m:Memory) WHERE m <> via AND (p IS NULL OR EXISTS { (p)-[:AWARE_OF]->(m) })
    WITH DISTINCT q, m LIMIT 50
    WITH m, CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN 0.5 ELSE vector.similarity.cosine(m.embedding, q.vector) END AS c
    ORDER BY c DESC LIMIT 12
    RETURN m, c AS c2
  }
  WITH z, via, c, m, c2 ORDER BY c + c2 DESC
  WITH m, collect({from: z, via: via, c: c, c2: c2})[0] AS best
  ORDER BY best.c + best.c2 DESC LIMIT 80
  RETURN collect({m: m, from: best.from, via: best.via, along: [best.c, best.c2]}) AS hop2
}
CALL (q, p, seeds, hop2) {
  UNWIND hop2 AS h
  WITH q, p, seeds, h, h.m AS via
  MATCH (via)-[:MEMORY_SUBJECT|MEMORY_OBJECT]->(y:Entity) WHERE y <> h.from AND NOT y IN seeds
  WITH q, p, y, h, h.along[0] + h.along[1] AS c ORDER BY c DESC
  WITH q, p, y, collect(h)[0] AS h, max(c) AS c
  ORDER BY c DESC LIMIT 16
  CALL (y, q, p, h) {
    MATCH (y)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m:Memory) WHERE m <> h.m AND m <> h.via AND (p IS NULL OR EXISTS { (p)-[:AWARE_OF]->(m) })
    WITH DISTINCT q, m LIMIT 50
    WITH m, CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN 0.5 ELSE vector.similarity.cosine(m.embedding, q.vector) END AS c3
    ORDER BY c3 DESC LIMIT 10
    RETURN m, c3
  }
  WITH h, m, c3 ORDER BY h.along[0] + h.along[1] + c3 DESC
  WITH m, collect({h: h, c3: c3})[0] AS best
  ORDER BY best.h.along[0] + best.h.along[1] + best.c3 DESC LIMIT 60
  RETURN collect({m: m, path: [best.h.via.id, best.h.m.id], along: best.h.along + best.c3}) AS hop3
}
// All candidates, each with what every leg says of it.
CALL (q, p, owner, near, worded, hop1, hop2, hop3) {
  WITH q, p, owner,
    [m IN near | {m: m}] + [w IN worded | {m: w.m, text: w.score}]
    + [h IN hop1 | {m: h.m, hops: 1, path: [], along: [h.c]}]
    + [h IN hop2 | {m: h.m, hops: 2, path: [h.via.id], along: h.along}]
    + [h IN hop3 | {m: h.m, hops: 3, path: h.path, along: h.along}] AS all
  UNWIND all AS a
  WITH q, p, owner, a.m AS m, max(a.text) AS text, collect(CASE WHEN a.hops IS NULL THEN null ELSE {hops: a.hops, path: a.path, along: a.along} END) AS ways
  MATCH (m)-[:MEMORY_SUBJECT]->(subject:Entity)
  MATCH (m)-[:MEMORY_OBJECT]->(object:Entity)
  WITH q, m, text, ways, subject, object,
    CASE WHEN p IS NULL OR m.persona = p.name OR NOT m.index0 IN ['过往事件', '人物画像'] THEN m.index1
      WHEN subject = p THEN 'self'
      WHEN subject = owner OR object = owner THEN 'owner'
      ELSE 'other' END AS index1
  WHERE (q.index0 IS NULL OR m.index0 = q.index0) AND (q.index1 IS NULL OR index1 = q.index1)
  RETURN collect({id: m.id, text: text, ways: ways, content: m.content, relation: m.relation, subject: subject.key, object: object.key,
    date: m.date, retired: m:Retired,
    cosine: CASE WHEN q.vector IS NULL OR m.embedding IS NULL THEN null ELSE vector.similarity.cosine(m.embedding, q.vector) END}) AS candidates
}
RETURN persona_known, q.i AS i, candidates, size(seeds) AS seeds
ORDER BY i
