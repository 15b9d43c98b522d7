package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"relata/embed"
	"relata/internal/localdb"
)

// Config is everything that can be configured. README.md has the table.
type Config struct {
	Neo4jURI      string `name:"neo4j-uri" var:"RELATA_NEO4J_URI" placeholder:"URI" help:"Database to use, such as neo4j://host:7687. Without it Relata runs a private local one. ($RELATA_NEO4J_URI)"`
	Neo4jUser     string `name:"neo4j-user" var:"RELATA_NEO4J_USER" default:"neo4j" help:"Its user. ($RELATA_NEO4J_USER)"`
	Neo4jPassword secret `name:"neo4j-password" var:"RELATA_NEO4J_PASSWORD" placeholder:"PASSWORD" help:"Its password. ($RELATA_NEO4J_PASSWORD)"`
	Neo4jDatabase string `name:"neo4j-database" var:"RELATA_NEO4J_DATABASE" placeholder:"NAME" help:"Its database; the server's default if left out. ($RELATA_NEO4J_DATABASE)"`

	DataDir  string `name:"data-dir" var:"RELATA_DATA_DIR" placeholder:"DIR" help:"Where the private database lives. ($RELATA_DATA_DIR)"`
	CacheDir string `name:"cache-dir" var:"RELATA_CACHE_DIR" placeholder:"DIR" help:"Where downloads are kept. ($RELATA_CACHE_DIR)"`
	HeapMB   int    `name:"neo4j-heap-mb" var:"RELATA_NEO4J_HEAP_MB" default:"1024" help:"Largest Java heap of the private database, in MiB. ($RELATA_NEO4J_HEAP_MB)"`

	LLM       string `name:"llm" var:"RELATA_LLM" placeholder:"MODEL" help:"Model that proposes diffs: gemini:MODEL, openai:MODEL (or openai:MODEL@URL for any compatible server), replay:DIR for recorded answers, record:DIR=MODEL to record those of another, or none. With GEMINI_API_KEY set: gemini:${gemini}, else none. ($RELATA_LLM)"`
	Embedder  string `name:"embedder" var:"RELATA_EMBEDDER" default:"local" placeholder:"MODEL" help:"Model of the vectors: local, gemini:MODEL or openai:MODEL, with @URL for any compatible server. ($RELATA_EMBEDDER)"`
	GeminiKey secret `name:"gemini-api-key" var:"GEMINI_API_KEY" placeholder:"KEY" help:"Key of Gemini, for both. ($GEMINI_API_KEY)"`
	OpenAIKey secret `name:"openai-api-key" var:"OPENAI_API_KEY" placeholder:"KEY" help:"Key of OpenAI or of the servers named by openai:MODEL@URL, for both; servers that ask for none need none. ($OPENAI_API_KEY)"`

	FetchImages bool `name:"fetch-images" var:"RELATA_FETCH_IMAGES" help:"Fetch images that clients name by URL, from public addresses only. ($RELATA_FETCH_IMAGES)"`

	OTLPEndpoint string `name:"otlp-endpoint" var:"OTEL_EXPORTER_OTLP_ENDPOINT" placeholder:"URL" help:"OpenTelemetry collector to send traces to, such as http://localhost:4318; none are made without it. ($OTEL_EXPORTER_OTLP_ENDPOINT)"`

	LogLevel string `name:"log-level" var:"RELATA_LOG_LEVEL" enum:"debug,info,warn,error" default:"info" help:"How much to log. ($RELATA_LOG_LEVEL)"`
	LogJSON  bool   `name:"log-json" var:"RELATA_LOG_JSON" help:"Log as JSON lines. ($RELATA_LOG_JSON)"`

	getenv func(string) string
	own    embed.Embedder // of tests, which share one; nil for the configured one
}

// secret is a value that prints as nothing.
type secret string

// String hides the value from logs and errors.
func (secret) String() string { return "[hidden]" }

// LogValue hides the value from structured logs.
func (secret) LogValue() slog.Value { return slog.StringValue("[hidden]") }

// defaultGemini is the Gemini model that is used where a key is set and no model
// is named.
const defaultGemini = "gemini-2.5-flash"

// complete fills in what depends on the machine.
func (c *Config) complete() error {
	if c.CacheDir == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("no folder for downloads: set RELATA_CACHE_DIR: %w", err)
		}
		c.CacheDir = filepath.Join(dir, "relata")
	}
	if c.DataDir == "" {
		c.DataDir = c.getenv("XDG_DATA_HOME")
		if c.DataDir == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return fmt.Errorf("no folder for the private database: set RELATA_DATA_DIR: %w", err)
			}
			c.DataDir = filepath.Join(home, ".local", "share")
		}
		c.DataDir = filepath.Join(c.DataDir, "relata")
	}
	if c.LLM == "" && c.GeminiKey != "" {
		c.LLM = "gemini:" + defaultGemini
	}
	return nil
}

// logger writes to w at the configured level, times in UTC.
func (c *Config) logger(w io.Writer) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		level = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			a.Value = slog.StringValue(a.Value.Time().UTC().Format(time.RFC3339))
		}
		return a
	}}
	if c.LogJSON {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// local says how the private database is run. Lines of progress go to w.
func (c *Config) local(w io.Writer) localdb.Options {
	return localdb.Options{
		CacheDir: c.CacheDir, DataDir: c.DataDir, HeapMB: c.HeapMB, Env: c.getenv,
		Progress: func(line string) { fmt.Fprintln(w, strings.TrimSpace(line)) },
	}
}
