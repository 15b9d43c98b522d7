package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"relata/graph"
	"relata/relations"
)

// Version changes with what a seed gives, so that data of another build are not
// taken for its own.
const Version = 3

// Prefix begins the name of every space that this package makes.
const Prefix = "bench-"

// WorldOptions say what a world is like.
type WorldOptions struct {
	Memories   int    // at least Spaces
	Spaces     int    // at least 2
	Seed       uint64 // the same seed gives the same world
	Dimensions int    // of the vectors; 0 for 512
}

// World is a synthetic memory. It holds no memories: they are made by number.
type World struct {
	WorldOptions
	Embedder *Embedder // knows the vectors of the questions handed out
	sizes    []int
	words    lexicon
	keys     []string // of relations without a rule that an item could break
}

// Space is a space of a world.
type Space struct {
	Name   string
	Size   int // memories
	number int
}

// Persona knows a part of a space: those of its memories whose number leaves the
// given rest.
type Persona struct {
	Name        string
	modulo, one int
}

// Known is how many of a space's memories the persona knows.
func (p Persona) Known(size int) int { return (size + p.modulo - 1 - p.one) / p.modulo }

const (
	clusters = 500
	// memoriesPerEntity makes 20,000 entities of 100,000 memories.
	memoriesPerEntity = 5
	// hub is the number of the entity that a tenth of a space's memories have.
	hub         = 0
	hubShare    = 0.1
	chinese     = 0.2
	mixed       = 0.1
	perSession  = 40 // memories
	minEntities = 8
)

// NewWorld makes a world. Errors: too few memories or spaces.
func NewWorld(o WorldOptions) (*World, error) {
	if o.Dimensions == 0 {
		o.Dimensions = 512
	}
	if o.Spaces < 2 || o.Memories < 20*o.Spaces {
		return nil, fmt.Errorf("a world of %d memories in %d spaces: at least 2 spaces and 20 memories for each are needed", o.Memories, o.Spaces)
	}
	w := &World{WorldOptions: o, words: newLexicon(o.Seed), sizes: sizes(o.Memories, o.Spaces), Embedder: &Embedder{}}
	r := rand.New(rand.NewPCG(o.Seed, 2))
	for range clusters {
		w.Embedder.clusters = append(w.Embedder.clusters, unit(r, o.Dimensions))
	}
	for _, rel := range relations.Core("en", time.Time{}) {
		if !rel.Functional && !rel.Symmetric && rel.Inverse == "" && rel.Key != "alias_of" {
			w.keys = append(w.keys, rel.Key)
		}
	}
	return w, nil
}

// sizes cuts a number of memories into spaces: the first has half of them, the
// others follow a power law, and none has less than a thousandth (or 10).
func sizes(memories, spaces int) []int {
	least := max(memories/1000, 10)
	first := memories / 2
	cut := func(power float64) (out []int, sum int) {
		out = append(out, first)
		for i := 2; i <= spaces; i++ {
			n := max(int(float64(first)*math.Pow(float64(i), -power)), least)
			out, sum = append(out, n), sum+n
		}
		return out, sum
	}
	low, high := 0.0, 10.0
	for range 50 {
		middle := (low + high) / 2
		if _, sum := cut(middle); sum > memories-first {
			low = middle
		} else {
			high = middle
		}
	}
	out, sum := cut(high)
	out[0] += memories - first - sum // what rounding left
	return out
}

// Spaces gives the spaces, the largest first.
func (w *World) Spaces() []Space {
	out := make([]Space, len(w.sizes))
	for i, n := range w.sizes {
		out[i] = w.space(i, n)
	}
	return out
}

func (w *World) space(i, size int) Space {
	return Space{Name: fmt.Sprintf("%sv%d-%d-%02d", Prefix, Version, w.Seed, i), Size: size, number: i}
}

// Personas gives the personas of a space. Of 50,000 memories those of the
// largest one know 50, 2,500 and 10,000; the other spaces have one that knows
// half.
func (w *World) Personas(s Space) []Persona {
	if s.number != 0 {
		return []Persona{{"Keeper", 2, 0}}
	}
	return []Persona{{"Regular", 5, 1}, {"Guest", 20, 3}, {"Stranger", 1000, 7}}
}

// Item is one memory with what is written beside it.
type Item struct {
	Memory graph.Memory // without id
	Vector []float32
	Source graph.Source
	Aware  []string // personas
	words  []string
	zh     bool
}

// epoch is when a world begins; each memory is a minute later than the one before.
var epoch = time.Date(2025, 1, 1, 8, 0, 0, 0, time.UTC)

// Item gives memory n of a space.
func (w *World) Item(s Space, n int) Item {
	r := rand.New(rand.NewPCG(w.Seed, uint64(s.number)<<32|uint64(n)|1<<63))
	cluster := int(clusters * math.Pow(r.Float64(), 1.5))
	entities := max(n/memoriesPerEntity, minEntities)
	subject, object := skewed(r, entities), skewed(r, entities)
	switch u := r.Float64(); {
	case u < hubShare/2:
		subject = hub
	case u < hubShare:
		object = hub
	}
	if object == subject {
		object = subject%(entities-1) + 1
	}
	it := Item{Vector: near(r, w.Embedder.clusters[cluster], spread)}
	language := r.Float64()
	it.zh = language < chinese
	for i := range 6 {
		list := w.words.english
		if it.zh || language < chinese+mixed && i%2 == 0 {
			list = w.words.chinese
		}
		if i < 2 { // words of the cluster
			it.words = append(it.words, list[(cluster*37+i*11)%len(list)])
			continue
		}
		it.words = append(it.words, pick(r, list))
	}
	c := category(r)
	date := epoch.Add(time.Duration(n) * time.Minute)
	session := fmt.Sprintf("session-%d", n/perSession)
	it.Memory = graph.Memory{
		Subject: nameOf(subject), Object: nameOf(object), Relation: w.keys[(cluster+r.IntN(4))%len(w.keys)],
		Index0: c.Index0, Index1: c.Index1, Date: date, MsgIDs: []int64{int64(n) + 1}, SessionID: session,
	}
	it.Memory.Content = it.sentence(n)
	for _, p := range w.Personas(s) {
		if n%p.modulo == p.one {
			it.Aware = append(it.Aware, p.Name)
		}
	}
	it.Memory.Persona = w.Personas(s)[0].Name
	it.Source = graph.Source{
		SourceID: int64(n) + 1, Kind: graph.SourceMessage, Session: session, Role: "user", Speaker: it.Memory.Subject,
		Date: date, Content: it.Memory.Content + " " + strings.Join(it.words, " "), Present: it.Aware,
	}
	return it
}

// sentence says something that no other memory of the space says.
func (it Item) sentence(n int) string {
	m, w := it.Memory, it.words
	if it.zh {
		return fmt.Sprintf("%s和%s一起谈到%s、%s，还说起%s的%s与%s，后来又提到%s，这是第%d次。",
			m.Subject, m.Object, w[0], w[1], w[2], w[3], w[4], w[5], n)
	}
	return fmt.Sprintf("%s and %s talked about the %s %s, then of %s %s and %s, and at last of the %s on day %d.",
		m.Subject, m.Object, w[0], w[1], w[2], w[3], w[4], w[5], n)
}

// skewed picks an entity other than the hub: early ones are much likelier, as
// older acquaintances have more memories.
func skewed(r *rand.Rand, n int) int {
	u := r.Float64()
	return 1 + int(float64(n-1)*u*u)
}

func category(r *rand.Rand) graph.Category {
	people := []string{"owner", "other", "other", "self"}
	switch u := r.Float64(); {
	case u < 0.4:
		return graph.Category{Index0: graph.Event, Index1: people[r.IntN(4)]}
	case u < 0.7:
		return graph.Category{Index0: graph.Profile, Index1: people[r.IntN(4)]}
	case u < 0.9:
		fields := []string{"文史", "理工", "生活", "娱乐", "梗知识", "其他"}
		return graph.Category{Index0: graph.Knowledge, Index1: fields[r.IntN(len(fields))]}
	}
	return graph.Category{Index0: graph.Method, Index1: "general"}
}

// Question is something to search for.
type Question struct {
	Text   string
	Vector []float32 // what the world's embedder gives for Text
	graph.Category
	names string // "hub", "entity" or "nothing"
}

// Questions gives n questions about a space, always the same ones: most name an
// entity, every tenth the hub, three of ten nothing.
func (w *World) Questions(s Space, n int) []Question {
	r := rand.New(rand.NewPCG(w.Seed, uint64(s.number)+3))
	out := make([]Question, n)
	for i := range out {
		it := w.Item(s, r.IntN(s.Size))
		q := Question{Vector: near(r, it.Vector, likely), Category: graph.Category{Index0: it.Memory.Index0, Index1: it.Memory.Index1}}
		who := it.Memory.Subject
		switch i % 10 {
		case 3:
			q.names, who = "hub", nameOf(hub)
		case 1, 5, 8:
			q.names, who = "nothing", "the others"
			if it.zh {
				who = "大家"
			}
		default:
			q.names = "entity"
		}
		q.Text = fmt.Sprintf("What did %s say about %s and the %s?", who, it.words[0], it.words[3])
		if it.zh {
			q.Text = fmt.Sprintf("%s说过%s和%s的什么事？", who, it.words[0], it.words[3])
		}
		w.Embedder.learn(q.Text, q.Vector)
		out[i] = q
	}
	return out
}
