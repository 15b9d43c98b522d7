package migrations

import (
	"embed"
	"fmt"
	"hash/crc32"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed V*.cypher
var embedded embed.FS

// Migration is one file.
type Migration struct {
	Version     int
	Description string
	Checksum    string   // CRC-32 of the file's text, hexadecimal
	Statements  []string // in order
}

// Name gives the file's name without its ending.
func (m Migration) Name() string { return fmt.Sprintf("V%03d__%s", m.Version, m.Description) }

var fileName = regexp.MustCompile(`^V(\d{3})__([a-z0-9_]+)\.cypher$`)

// All gives the migrations of this build in order.
func All() ([]Migration, error) { return load(embedded) }

// load reads migrations from the root of a file system. Errors name the file: a
// wrong name, a version that occurs twice, a gap, or a file without a statement.
func load(fsys fs.FS) ([]Migration, error) {
	paths, err := fs.Glob(fsys, "*.cypher")
	if err != nil {
		return nil, fmt.Errorf("list the migrations: %w", err)
	}
	var out []Migration
	for _, path := range paths {
		parts := fileName.FindStringSubmatch(path)
		if parts == nil {
			return nil, fmt.Errorf("migration %s: the name must be like V001__name.cypher", path)
		}
		text, err := fs.ReadFile(fsys, path)
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", path, err)
		}
		version, err := strconv.Atoi(parts[1])
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", path, err)
		}
		m := Migration{
			Version: version, Description: parts[2],
			Checksum: strconv.FormatUint(uint64(crc32.ChecksumIEEE(text)), 16), Statements: split(string(text)),
		}
		if len(m.Statements) == 0 {
			return nil, fmt.Errorf("migration %s: it holds no statement", path)
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Migration) int { return a.Version - b.Version })
	for i, m := range out {
		if m.Version != i+1 {
			return nil, fmt.Errorf("migration %s: expected version %d here (a version is missing or occurs twice)", m.Name(), i+1)
		}
	}
	return out, nil
}

// split cuts a file into statements: each ends with a semicolon at the end of a
// line. Comment lines are dropped.
func split(text string) []string {
	var out []string
	var b strings.Builder
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "//") {
			continue
		}
		if body, ok := strings.CutSuffix(trimmed, ";"); ok {
			b.WriteString(body)
			if st := strings.TrimSpace(b.String()); st != "" {
				out = append(out, st)
			}
			b.Reset()
			continue
		}
		b.WriteString(line)
	}
	if st := strings.TrimSpace(b.String()); st != "" {
		out = append(out, st)
	}
	return out
}
