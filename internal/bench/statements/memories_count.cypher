// How many current memories a space holds.
MATCH (m:Memory {space: $space}) WHERE m.id IS NOT NULL
RETURN count(m) AS memories
