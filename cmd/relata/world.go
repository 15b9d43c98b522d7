package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"relata/extractor"
	"relata/graph"
	"relata/sample"
)

// world reads the sample corpus.
type world struct {
	Space    string         `json:"space"`
	Personas []worldPersona `json:"personas"`
}

type worldPersona struct {
	Name         string   `json:"name"`
	Aliases      []string `json:"aliases"`
	Owner        string   `json:"owner"`
	OwnerAliases []string `json:"owner_aliases"`
	Character    string   `json:"character"`
}

func readWorld() (world, error) {
	var w world
	err := readSample("personas.json", &w)
	return w, err
}

// settle makes the world's space, empty of relations, and its personas in it.
func (w world) settle(ctx context.Context, store *graph.Store, space string) error {
	_, _, err := store.PutSpace(ctx, graph.Space{Name: space, Timezone: "Asia/Shanghai", Vocabulary: "empty"})
	if err != nil {
		return err
	}
	for _, p := range w.Personas {
		_, err := store.PutPersona(ctx, space, graph.Persona{
			Name: p.Name, Aliases: p.Aliases, Owner: p.Owner, OwnerAliases: p.OwnerAliases, Voice: p.Character,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sampleSessions gives the batches of all sessions in time order.
func sampleSessions(space string) ([]extractor.Batch, error) {
	paths, err := fs.Glob(sample.FS, "chats/*.json")
	if err != nil {
		return nil, err
	}
	batches := make([]extractor.Batch, 0, len(paths))
	for _, p := range paths {
		raw, err := sample.FS.ReadFile(p)
		if err != nil {
			return nil, err
		}
		b, err := readBatch(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		b.Space = space
		batches = append(batches, b)
	}
	return batches, nil
}

// sampleAnswers gives the recorded answers as a model.
func sampleAnswers() (extractor.Model, error) {
	replies, err := fs.Sub(sample.FS, "replies")
	if err != nil {
		return nil, err
	}
	return extractor.NewReplay(replies), nil
}

func readSample(name string, v any) error {
	raw, err := sample.FS.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("%s: %w", path.Base(name), err)
	}
	return nil
}

// names is a name or a list of names in JSON.
type names []string

// UnmarshalJSON takes both forms.
func (n *names) UnmarshalJSON(raw []byte) error {
	if strings.HasPrefix(strings.TrimSpace(string(raw)), "[") {
		return json.Unmarshal(raw, (*[]string)(n))
	}
	var one string
	if err := json.Unmarshal(raw, &one); err != nil {
		return fmt.Errorf("a name or a list of names is needed: %w", err)
	}
	*n = names{one}
	return nil
}

// readBatch reads the body of an ingest request from a file.
func readBatch(raw []byte) (extractor.Batch, error) {
	var file struct {
		extractor.Batch
		Persona names `json:"persona"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return extractor.Batch{}, err
	}
	file.Batch.Persona = file.Persona
	return file.Batch, nil
}
