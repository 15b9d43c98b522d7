// The world: The newest as a picture
// A graph: the 150 newest memories that hold, each as an edge between two entities.
// Change: space; the limit.
WITH 'harbour-cafe' AS space
MATCH world = (a:Entity)-[r]->(:Entity) WHERE a.space = space AND a.key >= '' AND r.memory_id IS NOT NULL
RETURN world
ORDER BY r.date DESC, r.memory_id DESC
LIMIT 150
