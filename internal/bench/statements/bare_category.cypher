// The vector index alone, filtered by space and category.
MATCH (m:Memory)
SEARCH m IN (VECTOR INDEX memory_vector FOR $vector
  WHERE m.space = $space AND m.index0 = $index0 AND m.index1 = $index1 LIMIT $limit) SCORE AS score
RETURN m.id AS id, m.content AS content, m.date AS date, score
