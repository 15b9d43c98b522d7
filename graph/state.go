package graph

// Ground is the part of a space's state that every plan stands on, read first
// in a write transaction. See [Tx.Ground].
type Ground struct {
	Space     Space
	Relations []Relation // the whole vocabulary, by key; Uses only for the keys asked for
	KeysEver  int        // distinct relation keys this space has ever had (limit 500)
	TypesEver int        // relationship types the database has ever had (limit 50,000)
	Personas  []Persona  // by id
	names     map[string]EntityRef
}

// NewGround makes a Ground by hand, for tests of planners. names maps entity
// keys and alias keys to what they resolve to.
func NewGround(space Space, relations []Relation, personas []Persona, names map[string]EntityRef) *Ground {
	return &Ground{Space: space, Relations: relations, Personas: personas, names: names}
}

// Resolve gives what a name means in the space: an existing entity by exact
// key, else by a declared alias, else a reference without an id to be made.
func (g *Ground) Resolve(name string) EntityRef {
	key := EntityKey(name)
	if ref, ok := g.names[key]; ok {
		return ref
	}
	return EntityRef{Key: key, Name: name}
}

// Lookup asks for the memories a plan may touch. See [Tx.Memories].
type Lookup struct {
	Fingerprints []string   // see [Fingerprint]; every current memory with one of them
	IDs          []MemoryID // these, where they are current
	// Functional asks for every current memory of a subject under a functional
	// relation.
	Functional []SubjectRelation
}

// SubjectRelation is a subject under a relation.
type SubjectRelation struct {
	Subject  EntityID
	Relation string
}

// Stored is a current memory with what a plan needs to know of it.
type Stored struct {
	Memory
	SubjectKey, ObjectKey string
	Fingerprint           string
	ChunkIDs              []int64     // sources that are no messages, in order of Memory.Chunks
	Aware                 []Awareness // personas and people
}
