// Identity of everything: uniqueness is what keeps racing writers from making
// a thing twice.
CREATE CONSTRAINT space_name IF NOT EXISTS FOR (n:Space) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT counter_name IF NOT EXISTS FOR (n:Counter) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (n:Entity) REQUIRE (n.space, n.key) IS UNIQUE;
CREATE CONSTRAINT alias_key IF NOT EXISTS FOR (n:Alias) REQUIRE (n.space, n.key) IS UNIQUE;
CREATE CONSTRAINT memory_id IF NOT EXISTS FOR (n:Memory) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT memory_identity IF NOT EXISTS FOR (n:Memory) REQUIRE (n.space, n.fingerprint, n.relation) IS UNIQUE;
CREATE CONSTRAINT retired_id IF NOT EXISTS FOR (n:Retired) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT source_id IF NOT EXISTS FOR (n:Source) REQUIRE (n.space, n.source_id) IS UNIQUE;
CREATE CONSTRAINT relation_key IF NOT EXISTS FOR (n:Relation) REQUIRE (n.space, n.key) IS UNIQUE;
CREATE CONSTRAINT relation_type_key IF NOT EXISTS FOR (n:RelationType) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT diff_id IF NOT EXISTS FOR (n:Diff) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT diff_key IF NOT EXISTS FOR (n:Diff) REQUIRE (n.space, n.key) IS UNIQUE;
