// Identity of what holds no longer: an import asks whether it is there already.
// Words that came back and went again are there more than once.
CREATE INDEX retired_by_fingerprint IF NOT EXISTS FOR (n:Retired) ON (n.space, n.fingerprint);
