// What was said where a memory comes from: the words of its messages, beside its
// own, so that it is found by a detail which its sentence leaves out. Cut in Go
// like the memory's own words (graph.Terms).
DROP INDEX memory_terms IF EXISTS;
CREATE FULLTEXT INDEX memory_terms IF NOT EXISTS FOR (n:Memory) ON EACH [n.terms, n.chars, n.heard, n.space, n.index0, n.index1]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};
