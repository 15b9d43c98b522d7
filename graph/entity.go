package graph

// EntityID is the stable number of an entity: below 2^53, never reused,
// unchanged by renaming.
type EntityID int64

// Entity is a subject or object: a person, place, project, thing, topic.
type Entity struct {
	ID      EntityID
	Name    string // its first spelling
	Key     string // see [EntityKey]
	Aliases []string
	Kind    string // "" when unknown
	Persona bool
}

// EntityRef is what a name in a diff resolves to. ID is 0 for an entity that
// does not exist yet; then Key is that of the name itself.
type EntityRef struct {
	ID      EntityID
	Key     string
	Name    string // display name of the existing entity, or the name as written
	Persona bool
}

// Persona is an entity that is a bot.
type Persona struct {
	ID           EntityID
	Name         string
	Aliases      []string
	Owner        string // display name of the owner entity, "" when none
	OwnerID      EntityID
	OwnerAliases []string
	Voice        string // how the persona speaks of itself, for prompts
}
