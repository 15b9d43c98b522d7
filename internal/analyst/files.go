package analyst

import (
	"archive/zip"
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Names of the files that are loaded into Browser. Single queries lie in the
// folder queries beside them.
const (
	StyleFile   = "style.grass"
	QueriesFile = "queries.zip"
	GuideFile   = "guide.html"
)

type file struct {
	name string // with slashes
	body []byte
}

// all gives the files as they are written and served.
func all() ([]file, error) {
	style, err := files.ReadFile(StyleFile)
	if err != nil {
		return nil, err
	}
	guide, err := guide()
	if err != nil {
		return nil, fmt.Errorf("make the guide: %w", err)
	}
	archive, err := archive()
	if err != nil {
		return nil, fmt.Errorf("pack the queries: %w", err)
	}
	out := []file{{StyleFile, style}, {QueriesFile, archive}, {GuideFile, guide}}
	for _, q := range Queries() {
		out = append(out, file{path.Join("queries", q.Name+".cypher"), []byte(q.Text)})
	}
	return out, nil
}

// archive packs the queries: Browser takes one file at a time, and makes a
// folder of favourites for each folder of a zip. It shows some 25 letters of a
// query's first line, so the group stands in the folder's name only.
func archive() ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, q := range Queries() {
		f, err := w.Create("Relata - " + q.Group + "/" + q.Name + ".cypher")
		if err != nil {
			return nil, err
		}
		if _, err := f.Write([]byte(strings.Replace(q.Text, q.Group+": ", "", 1))); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func guide() ([]byte, error) {
	t, err := template.ParseFS(files, "guide.html.tmpl")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, groups()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Write puts style, guide and queries into a folder, which it makes if need be,
// and gives their paths: style, archive of all queries, guide, then each query.
// Files of these names are written anew; others are left alone.
func Write(dir string) ([]string, error) {
	all, err := all()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "queries"), 0o755); err != nil {
		return nil, fmt.Errorf("make the folder for Browser's files: %w", err)
	}
	paths := make([]string, len(all))
	for i, f := range all {
		paths[i] = filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.WriteFile(paths[i], f.body, 0o644); err != nil {
			return nil, fmt.Errorf("write a file for Browser: %w", err)
		}
	}
	return paths, nil
}

// Handler serves the files to Neo4j Browser, whose page comes from another
// origin: before it loads a guide it asks whether it may send its headers, which
// are more than its own code names. The files hold nothing of anybody's data, so
// any page may read them.
func Handler() (http.Handler, error) {
	all, err := all()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for _, f := range all {
		serve := func(w http.ResponseWriter, _ *http.Request) {
			if path.Ext(f.name) == ".html" {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
			}
			_, _ = w.Write(f.body)
		}
		mux.HandleFunc("GET /"+f.name, serve)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.Method == http.MethodOptions {
			w.Header().Set("Access-Control-Allow-Headers", "*")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		mux.ServeHTTP(w, r)
	}), nil
}
