// Lookups that identity does not serve: lists in order of id, counts by
// relation, personas of a space, timelines of a session.
CREATE INDEX memory_by_id IF NOT EXISTS FOR (n:Memory) ON (n.space, n.id);
CREATE INDEX memory_by_relation IF NOT EXISTS FOR (n:Memory) ON (n.space, n.relation);
CREATE INDEX retired_by_id IF NOT EXISTS FOR (n:Retired) ON (n.space, n.id);
CREATE INDEX retired_by_relation IF NOT EXISTS FOR (n:Retired) ON (n.space, n.relation);
CREATE INDEX retired_relation_key IF NOT EXISTS FOR (n:RetiredRelation) ON (n.space, n.key);
CREATE INDEX persona_by_space IF NOT EXISTS FOR (n:Persona) ON (n.space);
CREATE INDEX source_by_session IF NOT EXISTS FOR (n:Source) ON (n.space, n.session, n.source_id);
CREATE INDEX diff_by_id IF NOT EXISTS FOR (n:Diff) ON (n.space, n.id);
CREATE INDEX diff_by_session IF NOT EXISTS FOR (n:Diff) ON (n.space, n.session, n.id);
CREATE INDEX answer_by_space IF NOT EXISTS FOR (n:Answer) ON (n.space);
