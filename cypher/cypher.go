// Package cypher holds every statement that Relata sends to Neo4j, one file
// each, so that it can be read, linted and pasted into Browser as it stands.
//
// Place in the flow: graph runs these statements; nothing builds Cypher from
// strings. A file's header names its parameters and the columns it returns; a
// test holds the header against the text, and EXPLAINs each file on the server.
// Values, labels and relationship types travel as parameters only.
package cypher

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.cypher
var files embed.FS

// Statement is one Cypher statement. Name labels it in logs, metrics and spans.
type Statement struct {
	Name string
	Text string // without the header, with the language version in front
}

// language is stated in each statement, since a server's default may be older.
const language = "CYPHER 25\n"

// Load gives the statement of name.cypher. It panics where there is no such
// file: statements are loaded into package variables, so a wrong name fails
// every test at once.
func Load(name string) Statement {
	raw, err := files.ReadFile(name + ".cypher")
	if err != nil {
		panic("cypher: no file " + name + ".cypher")
	}
	return Statement{Name: name, Text: language + strip(string(raw))}
}

// Names lists all statements by name, sorted.
func Names() []string {
	paths, err := fs.Glob(files, "*.cypher")
	if err != nil {
		panic("cypher: " + err.Error())
	}
	for i, p := range paths {
		paths[i] = strings.TrimSuffix(p, ".cypher")
	}
	return paths
}

// Header gives the comment lines at the head of a file, without their slashes.
func Header(name string) []string {
	raw, err := files.ReadFile(name + ".cypher")
	if err != nil {
		return nil
	}
	var lines []string
	for line := range strings.Lines(string(raw)) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSpace(text))
	}
	return lines
}

// strip drops comment lines: the server need not parse them at each call.
func strip(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String())
}
