// The vector index alone, filtered by space: what a search is compared to.
MATCH (m:Memory)
SEARCH m IN (VECTOR INDEX memory_vector FOR $vector WHERE m.space = $space LIMIT $limit) SCORE AS score
RETURN m.id AS id, m.content AS content, m.date AS date, score
