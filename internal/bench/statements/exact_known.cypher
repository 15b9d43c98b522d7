// The ten memories nearest to a question among those that a persona knows, by
// looking at each of them.
MATCH (p:Persona {space: $space, name: $persona})-[:AWARE_OF]->(m:Memory)
WHERE m.embedding IS NOT NULL
WITH m, vector.similarity.cosine(m.embedding, $vector) AS score
RETURN m.id AS id ORDER BY score DESC LIMIT 10
