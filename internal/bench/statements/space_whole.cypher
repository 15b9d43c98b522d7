// Memories of a space, and those that lack an end, a typed edge or the diff that wrote them.
MATCH (m:Memory {space: $space}) WHERE m.id IS NOT NULL
RETURN count(m) AS memories, count(CASE WHEN
  COUNT { (m)-[:MEMORY_SUBJECT]->(:Entity) } <> 1 OR COUNT { (m)-[:MEMORY_OBJECT]->(:Entity) } <> 1
  OR NOT EXISTS { (m)<-[:ADDED]-(:Diff) }
  OR NOT EXISTS { (m)-[:MEMORY_SUBJECT]->(a)-[e]->(b)<-[:MEMORY_OBJECT]-(m) WHERE e.memory_id = m.id } THEN 1 END) AS broken
