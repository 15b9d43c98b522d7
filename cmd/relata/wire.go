package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"

	"relata/embed"
	"relata/extractor"
	"relata/extractor/document"
	"relata/graph"
	"relata/internal/localdb"
	"relata/internal/telemetry"
	"relata/migrations"
	"relata/relations"
)

// app is the wired program: every part that commands share.
type app struct {
	store     *graph.Store
	relations *relations.Service
	telemetry *telemetry.Telemetry
	extractor *extractor.Extractor // nil without a model
	local     *localdb.Instance    // nil with a database of the user's own
	log       *slog.Logger
	closers   []func(context.Context) error
}

// embedCache is how many vectors are kept: 4,096 of 512 dimensions take 9 MB.
const embedCache = 4096

// open wires the parts: the database (the private one is started if need be),
// its schema, the embedder, the model. model overrides the configured one; nil
// for none. Lines of progress go to w.
func (c *Config) open(ctx context.Context, w io.Writer, log *slog.Logger, model extractor.Model) (*app, error) {
	a := &app{log: log}
	if err := a.openTelemetry(ctx, c); err != nil {
		return nil, err
	}
	if err := a.openStore(ctx, c, w); err != nil {
		return nil, errors.Join(err, a.close(context.WithoutCancel(ctx)))
	}
	a.relations = relations.NewService(relations.ServiceOptions{Store: a.store, Logger: log})
	if model == nil {
		var err error
		model, err = extractor.ParseModel(ctx, c.LLM, extractor.ModelOptions{
			GeminiKey: string(c.GeminiKey), OpenAIKey: string(c.OpenAIKey),
		})
		if err != nil {
			return nil, errors.Join(err, a.close(context.WithoutCancel(ctx)))
		}
	}
	if model != nil {
		documents := &document.Reader{CacheDir: filepath.Join(c.CacheDir, "pdf")}
		a.closers = append(a.closers, func(context.Context) error { return documents.Close() })
		options := extractor.Options{
			Store: a.store, Relations: a.observed(), Model: a.telemetry.Model(model), Documents: documents, Logger: log,
		}
		if c.FetchImages {
			options.Fetcher = extractor.NewFetcher()
		}
		var err error
		a.extractor, err = extractor.New(options)
		if err != nil {
			return nil, errors.Join(err, a.close(context.WithoutCancel(ctx)))
		}
	}
	return a, nil
}

func (a *app) openStore(ctx context.Context, c *Config, w io.Writer) error {
	m, err := a.connect(ctx, c, w)
	if err != nil {
		return err
	}
	return migrations.EnsureVectors(ctx, a.database(), m)
}

// connect opens the store with the configured embedder, whose model it gives, on a
// database of the right schema; its vectors may come from another model.
func (a *app) connect(ctx context.Context, c *Config, w io.Writer) (migrations.Model, error) {
	none := migrations.Model{}
	embedder, err := c.embedder(ctx, w, a.log)
	if err != nil {
		return none, err
	}
	m, err := sized(ctx, embedder)
	if err != nil {
		return none, err
	}
	options := graph.Options{
		URI: c.Neo4jURI, User: c.Neo4jUser, Password: string(c.Neo4jPassword), Database: c.Neo4jDatabase,
		Embedder:   a.telemetry.Embedder(embedder, "stored"),
		Queries:    a.telemetry.Embedder(embed.ForQueries(embedder), "query"),
		Dimensions: m.Dimensions, Observer: a.telemetry, Logger: a.log,
	}
	if c.Neo4jURI == "" {
		a.local, err = localdb.Start(ctx, c.local(w))
		if err != nil {
			return none, err
		}
		options.URI, options.User = a.local.BoltURI, a.local.User
		options.Password, err = a.local.Password()
		if err != nil {
			return none, err
		}
	}
	a.store, err = graph.Open(options)
	if err != nil {
		return none, err
	}
	a.closers = append(a.closers, a.store.Close)
	db := a.database()
	if a.local != nil {
		if _, err := migrations.Migrate(ctx, db); err != nil {
			return none, fmt.Errorf("bring the private database up to date: %w", err)
		}
	} else if err := current(ctx, db); err != nil {
		return none, err
	}
	return migrations.Model{Name: m.Name, Dimensions: m.Dimensions}, nil
}

// sized gives the embedder's model with the size of its vectors, which a remote
// one tells with its first answer.
func sized(ctx context.Context, e embed.Embedder) (embed.Model, error) {
	if m := e.Model(); m.Dimensions > 0 {
		return m, nil
	}
	if _, err := e.Embed(ctx, []string{"relata"}); err != nil {
		return embed.Model{}, fmt.Errorf("ask the embedding model for the size of its vectors: %w", err)
	}
	return e.Model(), nil
}

// current checks that a database of the user's own has the schema of this build.
func current(ctx context.Context, db migrations.Database) error {
	todo, err := migrations.Pending(ctx, db)
	if err != nil {
		return err
	}
	if len(todo) > 0 {
		return fmt.Errorf("the database lacks %d migrations (first %s): run `relata migrate`", len(todo), todo[0].Name())
	}
	return nil
}

func (a *app) database() migrations.Database {
	return migrations.Database{Driver: a.store.Driver(), Name: a.store.Database()}
}

// embedder makes the configured embedder with a cache of texts seen last.
func (c *Config) embedder(ctx context.Context, w io.Writer, log *slog.Logger) (embed.Embedder, error) {
	if c.own != nil {
		return c.own, nil
	}
	provider, name, _ := strings.Cut(c.Embedder, ":")
	var inner embed.Embedder
	switch {
	case c.Embedder == "local":
		dir, err := embed.EnsureModel(ctx, c.CacheDir, func(line string) { fmt.Fprintln(w, line) })
		if err != nil {
			return nil, err
		}
		inner = embed.NewLocal(embed.LocalOptions{Dir: dir, Logger: log})
	case provider == "gemini" && name != "":
		g, err := embed.NewGemini(ctx, embed.GeminiOptions{APIKey: string(c.GeminiKey), Model: name})
		if err != nil {
			return nil, err
		}
		inner = g
	case provider == "openai":
		model, url, err := extractor.SplitModelURL(name)
		if err != nil {
			return nil, err
		}
		inner, err = embed.NewOpenAI(embed.OpenAIOptions{APIKey: string(c.OpenAIKey), Model: model, URL: url})
		if err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("the embedder %q is unknown: use local, gemini:MODEL, openai:MODEL or openai:MODEL@URL", c.Embedder)
	}
	return embed.NewCached(inner, embedCache)
}

// close gives back everything that open took, the last first. The private
// database goes on running.
func (a *app) close(ctx context.Context) error {
	var errs []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		errs = append(errs, a.closers[i](ctx))
	}
	return errors.Join(errs...)
}
