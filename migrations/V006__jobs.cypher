// Jobs, their inputs, the order of sessions, and turns that wait to be ingested.
// Only a job whose turn it is has the property due, so job_due and job_head hold
// few, however many wait.
CREATE CONSTRAINT job_id IF NOT EXISTS FOR (n:Job) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT job_key IF NOT EXISTS FOR (n:Job) REQUIRE (n.space, n.key) IS UNIQUE;
CREATE CONSTRAINT job_input_job IF NOT EXISTS FOR (n:JobInput) REQUIRE n.job IS UNIQUE;
CREATE CONSTRAINT line_session IF NOT EXISTS FOR (n:Line) REQUIRE (n.space, n.session) IS UNIQUE;
CREATE CONSTRAINT pending_source_id IF NOT EXISTS FOR (n:Pending) REQUIRE (n.space, n.source_id) IS UNIQUE;
CREATE INDEX job_due IF NOT EXISTS FOR (n:Job) ON (n.kind, n.due);
CREATE INDEX job_head IF NOT EXISTS FOR (n:Job) ON (n.space, n.session, n.due);
CREATE INDEX job_waiting IF NOT EXISTS FOR (n:Job) ON (n.space, n.session, n.state, n.seq);
CREATE INDEX job_by_id IF NOT EXISTS FOR (n:Job) ON (n.space, n.id);
CREATE INDEX job_ended IF NOT EXISTS FOR (n:Job) ON (n.state, n.updated_at);
CREATE INDEX job_input_by_space IF NOT EXISTS FOR (n:JobInput) ON (n.space);
CREATE INDEX line_due IF NOT EXISTS FOR (n:Line) ON (n.due);
CREATE INDEX pending_by_session IF NOT EXISTS FOR (n:Pending) ON (n.space, n.session, n.seq);
CREATE INDEX pending_by_job IF NOT EXISTS FOR (n:Pending) ON (n.job);
CREATE FULLTEXT INDEX pending_terms IF NOT EXISTS FOR (n:Pending) ON EACH [n.terms, n.chars, n.space]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};
