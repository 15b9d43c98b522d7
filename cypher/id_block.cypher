// Hands out a block of numbers, which are never handed out again.
// Params: $name, $size
// Returns: first (int)
MERGE (c:Counter {name: $name})
ON CREATE SET c.next = 1
SET c.next = c.next + $size
RETURN c.next - $size AS first
