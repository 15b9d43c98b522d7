// How large the whole database is.
CALL () { MATCH (n:Memory) RETURN count(n) AS memories }
CALL () { MATCH (n:Entity) RETURN count(n) AS entities }
CALL () { MATCH ()-[r]->() RETURN count(r) AS relationships }
RETURN memories, entities, relationships
