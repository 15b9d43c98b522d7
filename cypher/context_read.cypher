// The memories that a batch may touch: near to its messages, sharing its words,
// about the entities it names, or written last by its session.
// Params: $space, $vectors, $text, $names (keys), $session, $personas (keys; empty for all), $limit
// Returns: memory (map), near (float, best cosine index score or null), worded (float or null), named, recent (bools)
MATCH (s:Space {name: $space})
CALL () {
  UNWIND $personas AS key
  OPTIONAL MATCH (:Alias {space: $space, key: key})-[:ENTITY_ALIAS]->(declared:Persona)
  OPTIONAL MATCH (same:Entity {space: $space, key: key}) WHERE same:Persona
  WITH coalesce(declared, same) AS p WHERE p IS NOT NULL
  RETURN collect(DISTINCT p) AS who
}
CALL () {
  UNWIND $vectors AS vector
  CALL (vector) {
    MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector FOR vector WHERE m.space = $space LIMIT 20) SCORE AS score
    RETURN m, score
  }
  WITH m, max(score) AS near ORDER BY near DESC LIMIT $limit
  RETURN collect({m: m, near: near}) AS by_vector
}
CALL () {
  WITH $text AS text WHERE text <> ''
  CALL db.index.fulltext.queryNodes('memory_terms', text, {limit: 100}) YIELD node, score
  RETURN collect({m: node, worded: score}) AS by_words
}
CALL () {
  UNWIND $names AS key
  OPTIONAL MATCH (:Alias {space: $space, key: key})-[:ENTITY_ALIAS]->(declared:Entity)
  OPTIONAL MATCH (same:Entity {space: $space, key: key})
  UNWIND [x IN [declared, same] WHERE x IS NOT NULL] AS e
  WITH DISTINCT e LIMIT 40
  CALL (e) {
    MATCH (e)<-[:MEMORY_SUBJECT|MEMORY_OBJECT]-(m:Memory)
    RETURN m LIMIT 60
  }
  WITH DISTINCT m LIMIT $limit
  RETURN collect({m: m, named: true}) AS by_name
}
CALL () {
  MATCH (d:Diff) WHERE d.space = $space AND d.session = $session AND d.id > 0
  WITH d ORDER BY d.id DESC LIMIT 5
  MATCH (d)-[:ADDED|UPDATED]->(m:Memory)
  WITH DISTINCT m LIMIT 100
  RETURN collect({m: m, recent: true}) AS by_session
}
UNWIND by_vector + by_words + by_name + by_session AS f
WITH who, f.m AS m, max(f.near) AS near, max(f.worded) AS worded, any(x IN collect(f.named) WHERE x) AS named, any(x IN collect(f.recent) WHERE x) AS recent
WHERE size($personas) = 0 OR any(p IN who WHERE p IN [(m)<-[:AWARE_OF]-(k) | k])
RETURN m {.id, .subject, .relation, .object, .content, .index0, .index1, .tags, .date, .event_date, .persona} AS memory,
  near, worded, named, recent
