package analyst

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed queries/*.cypher style.grass guide.html.tmpl
var files embed.FS

// Query is a saved query.
type Query struct {
	Name  string // of the file, without its ending: 18_shortest_path
	Group string // what kind of question it answers: The world
	Title string // short enough for Browser's list: What connects two things?
	About string // what it promises, and what to change in it
	Text  string // the whole file, comments included
}

// Queries gives all saved queries in order of their names. It panics if a file
// has no header, which any test shows.
func Queries() []Query {
	paths, err := fs.Glob(files, "queries/*.cypher")
	if err != nil {
		panic(err)
	}
	out := make([]Query, len(paths))
	for i, p := range paths {
		text, err := files.ReadFile(p)
		if err != nil {
			panic(err)
		}
		out[i] = read(strings.TrimSuffix(path.Base(p), ".cypher"), string(text))
	}
	return out
}

func read(name, text string) Query {
	var header []string
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "// ")
		if !ok {
			break
		}
		header = append(header, comment)
	}
	if len(header) < 2 {
		panic(fmt.Sprintf("query %s: a line with group and title and one with what it promises are needed", name))
	}
	group, title, ok := strings.Cut(header[0], ": ")
	if !ok {
		panic(fmt.Sprintf("query %s: the first line must be like // Group: title", name))
	}
	return Query{Name: name, Group: group, Title: title, About: strings.Join(header[1:], " "), Text: text}
}

// group is the queries of one kind.
type group struct {
	Name    string
	Queries []Query
}

func groups() []group {
	var out []group
	for _, q := range Queries() {
		if len(out) == 0 || out[len(out)-1].Name != q.Group {
			out = append(out, group{Name: q.Group})
		}
		last := &out[len(out)-1]
		last.Queries = append(last.Queries, q)
	}
	return out
}
