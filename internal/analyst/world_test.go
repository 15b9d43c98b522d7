package analyst_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/extractor"
	"relata/graph"
	"relata/internal/testkit"
	"relata/relations"
	"relata/sample"
)

// demoSpace is the space that the queries name.
const demoSpace = "harbour-cafe"

// world is the sample world in a space of the test's own.
type world struct {
	store *graph.Store
	space string
}

// settle plays the 14 sessions of the sample; the answers of the model are the
// recorded ones.
func settle(t *testing.T) world {
	t.Helper()
	store := testkit.Store(t)
	w := world{store, testkit.Space(t, store, graph.Space{Timezone: "Asia/Shanghai"})}
	var people struct {
		Personas []struct {
			Name         string   `json:"name"`
			Aliases      []string `json:"aliases"`
			Owner        string   `json:"owner"`
			OwnerAliases []string `json:"owner_aliases"`
		} `json:"personas"`
	}
	decode(t, "personas.json", &people)
	for _, p := range people.Personas {
		_, err := store.PutPersona(t.Context(), w.space, graph.Persona{
			Name: p.Name, Aliases: p.Aliases, Owner: p.Owner, OwnerAliases: p.OwnerAliases,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	replies, err := fs.Sub(sample.FS, "replies")
	if err != nil {
		t.Fatal(err)
	}
	service := relations.NewService(relations.ServiceOptions{Store: store})
	reader, err := extractor.New(extractor.Options{Store: store, Relations: service, Model: extractor.NewReplay(replies)})
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := fs.Glob(sample.FS, "chats/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sessions {
		var file struct {
			extractor.Batch
			Persona string `json:"persona"`
		}
		decode(t, path, &file)
		file.Space = w.space
		if file.Persona != "" {
			file.Batch.Persona = []string{file.Persona}
		}
		if _, err := reader.Ingest(t.Context(), file.Batch, extractor.IngestOptions{By: "demo"}); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return w
}

func decode(t *testing.T, path string, v any) {
	t.Helper()
	raw, err := sample.FS.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// answer is what a query gives.
type answer struct {
	columns []string
	rows    []map[string]any
	summary neo4j.ResultSummary
}

// run puts a space into a query in place of the demo's and runs it in a
// transaction that may not write.
func (w world) run(t *testing.T, space, text string) answer {
	t.Helper()
	text = strings.Replace(text, "'"+demoSpace+"'", "'"+space+"'", 1)
	session := w.store.Driver().NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: w.store.Database(), AccessMode: neo4j.AccessModeRead})
	defer session.Close(t.Context())
	a, err := neo4j.ExecuteRead(t.Context(), session, func(tx neo4j.ManagedTransaction) (answer, error) {
		result, err := tx.Run(t.Context(), text, nil)
		if err != nil {
			return answer{}, err
		}
		var a answer
		if a.columns, err = result.Keys(); err != nil {
			return answer{}, err
		}
		for result.Next(t.Context()) {
			a.rows = append(a.rows, result.Record().AsMap())
		}
		a.summary, err = result.Consume(t.Context())
		return a, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
