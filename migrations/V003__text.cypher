// Full text. Words are cut in Go (graph.Terms), so that pairs of Han
// characters, stems and symbols such as c++ are tokens of their own; the
// analyzer only splits at blanks. `chars` holds single Han characters. The
// space and the category are indexed beside them, so that a small space of a
// large database is answered in full.
CREATE FULLTEXT INDEX memory_terms IF NOT EXISTS FOR (n:Memory) ON EACH [n.terms, n.chars, n.space, n.index0, n.index1]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};
CREATE FULLTEXT INDEX retired_terms IF NOT EXISTS FOR (n:Retired) ON EACH [n.terms, n.chars, n.space, n.index0, n.index1]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};
