// How many current memories a space holds, kept by every write from here on:
// searches go by it, and counting a large space takes longer than a search.
MATCH (s:Space)
SET s.memory_count = COUNT { MATCH (m:Memory) WHERE m.space = s.name AND m.id > 0 };
