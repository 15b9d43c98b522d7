package api_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"relata/api"
	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// fake stands for everything behind the surface. A method without a function of
// its own answers with the zero value, in the space "cafe" of Shanghai; every
// other space does not exist.
type fake struct {
	space        func(name string) (graph.Space, error)
	putSpace     func(graph.Space) (graph.Space, bool, error)
	spaces       error
	deleteSpace  func(string) (graph.Deletion, error)
	putPersona   func(space string, p graph.Persona) (graph.Persona, error)
	personas     []graph.Persona
	search       func(context.Context, graph.SearchRequest) ([]graph.Result, error)
	memories     func(graph.MemoryFilter) (graph.Page[graph.Memory], error)
	memory       func(graph.MemoryID) (graph.Memory, error)
	history      func(graph.MemoryID) ([]graph.Memory, error)
	messages     func(graph.MessageQuery) ([]graph.Source, error)
	diff         func(graph.DiffID) (graph.Diff, error)
	diffs        func(cursor string, limit int) (graph.Page[graph.Diff], error)
	receipt      graph.Receipt
	relations    []graph.Relation
	ready        []graph.Check
	entities     func(graph.EntityFilter) (graph.Page[graph.Entity], error)
	entity       func(id graph.EntityID, asPersona string) (graph.Entity, error)
	addAliases   func(graph.EntityID, []string) (graph.Entity, error)
	around       func(graph.NeighbourhoodQuery) (graph.Subgraph, error)
	paths        func(graph.PathQuery) ([]graph.Path, error)
	edit         func(relations.Edit) (graph.Receipt, error)
	remove       func(id graph.MemoryID, dryRun bool) (graph.Receipt, error)
	differ       differ
	putRelation  func(graph.Relation) (graph.Relation, bool, error)
	seeded       []string
	submit       func(relations.Submission) (graph.Receipt, error)
	ingest       func(extractor.Batch, extractor.IngestOptions) (graph.Receipt, error)
	export       func(emit func(any) error) error
	lineErrors   []relations.LineError
	importErr    error
	nextSourceID int64
	known        []graph.Known
	knownErr     error
	job          graph.Job
	jobErr       error
	queued       []string // keys of what was queued
	appended     []extractor.Batch
	materials    []extractor.Material
	parts        int   // of each material, 0 for one
	readErr      error // of reading
	grants       []relations.Grant
	revoked      []relations.Grant
}

// What cmd wires together.
var (
	_ api.Store      = (*graph.Store)(nil)
	_ api.Vocabulary = (*relations.Service)(nil)
	_ api.Submitter  = (*relations.Service)(nil)
	_ api.Editor     = (*relations.Service)(nil)
	_ api.Ingester   = (*extractor.Extractor)(nil)
	_ api.Differ     = (*extractor.Extractor)(nil)
	_ api.Readiness  = (*graph.Store)(nil)
)

var (
	_ api.Store      = (*fake)(nil)
	_ api.Vocabulary = (*fake)(nil)
	_ api.Submitter  = (*fake)(nil)
	_ api.Editor     = (*fake)(nil)
	_ api.Ingester   = (*fake)(nil)
	_ api.Readiness  = (*fake)(nil)
	_ api.Differ     = differ(nil)
)

func cafe() graph.Space {
	return graph.Space{
		Name: "cafe", Timezone: "Asia/Shanghai", Language: "zh", Vocabulary: "core",
		Governance: graph.GovernanceOpen, WriterSees: graph.WriterSeesSpace, CreatedAt: at("2026-03-01 00:00:00"),
	}
}

// at reads a time of Shanghai.
func at(s string) time.Time {
	loc, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		panic(err)
	}
	t, err := time.ParseInLocation(time.DateTime, s, loc)
	if err != nil {
		panic(err)
	}
	return t
}

func (f *fake) Space(_ context.Context, name string) (graph.Space, error) {
	if f.space != nil {
		return f.space(name)
	}
	if name != "cafe" {
		return graph.Space{}, graph.Errorf(graph.CodeNotFound, "the space %q does not exist", name)
	}
	return cafe(), nil
}

func (f *fake) Spaces(context.Context) ([]graph.Space, error) {
	return []graph.Space{cafe()}, f.spaces
}

func (f *fake) PutSpace(_ context.Context, s graph.Space) (graph.Space, bool, error) {
	if f.putSpace != nil {
		return f.putSpace(s)
	}
	return cafe(), false, nil
}

func (f *fake) DeleteSpace(_ context.Context, name string) (graph.Deletion, error) {
	if f.deleteSpace != nil {
		return f.deleteSpace(name)
	}
	return graph.Deletion{}, nil
}

func (f *fake) PutPersona(_ context.Context, space string, p graph.Persona) (graph.Persona, error) {
	if f.putPersona != nil {
		return f.putPersona(space, p)
	}
	return p, nil
}

func (f *fake) Personas(_ context.Context, space, _ string) ([]graph.Persona, error) {
	return f.personas, f.space404(space)
}

func (f *fake) Search(ctx context.Context, r graph.SearchRequest) ([]graph.Result, error) {
	if f.search != nil {
		return f.search(ctx, r)
	}
	return make([]graph.Result, len(r.Queries)), nil
}

func (f *fake) Memories(_ context.Context, _ string, m graph.MemoryFilter) (graph.Page[graph.Memory], error) {
	if f.memories != nil {
		return f.memories(m)
	}
	return graph.Page[graph.Memory]{}, nil
}

func (f *fake) Memory(_ context.Context, _ string, id graph.MemoryID, _ string) (graph.Memory, error) {
	if f.memory != nil {
		return f.memory(id)
	}
	return graph.Memory{ID: id}, nil
}

func (f *fake) History(_ context.Context, _ string, id graph.MemoryID, _ string) ([]graph.Memory, error) {
	if f.history != nil {
		return f.history(id)
	}
	return []graph.Memory{{ID: id}}, nil
}

func (f *fake) Messages(_ context.Context, _ string, q graph.MessageQuery) ([]graph.Source, error) {
	if f.messages != nil {
		return f.messages(q)
	}
	return nil, nil
}

func (f *fake) NewSourceIDs(_ context.Context, n int) (int64, error) {
	first := f.nextSourceID
	f.nextSourceID += int64(n)
	return first, nil
}

func (f *fake) Diff(_ context.Context, _ string, id graph.DiffID, _ string) (graph.Diff, error) {
	if f.diff != nil {
		return f.diff(id)
	}
	return graph.Diff{ID: id}, nil
}

func (f *fake) DiffsByID(ctx context.Context, space string, ids []graph.DiffID, asPersona string) (map[graph.DiffID]graph.Diff, error) {
	out := make(map[graph.DiffID]graph.Diff)
	for _, id := range ids {
		d, err := f.Diff(ctx, space, id, asPersona)
		switch {
		case graph.ErrorCode(err) == graph.CodeNotFound:
		case err != nil:
			return nil, err
		default:
			out[id] = d
		}
	}
	return out, nil
}

func (f *fake) Diffs(_ context.Context, _, cursor string, limit int, _ string) (graph.Page[graph.Diff], error) {
	if f.diffs != nil {
		return f.diffs(cursor, limit)
	}
	return graph.Page[graph.Diff]{}, nil
}

func (f *fake) Receipt(context.Context, string, graph.Diff, string) (graph.Receipt, error) {
	return f.receipt, nil
}

func (f *fake) Relations(context.Context, string, string) ([]graph.Relation, error) {
	return f.relations, nil
}

func (f *fake) Ready(context.Context) []graph.Check {
	if f.ready != nil {
		return f.ready
	}
	return []graph.Check{{Name: "database"}, {Name: "indexes"}}
}

// space404 is the error of a space that does not exist, for methods that find
// out by themselves.
func (f *fake) space404(name string) error {
	_, err := f.Space(context.Background(), name)
	return err
}

func (f *fake) Entities(_ context.Context, space string, q graph.EntityFilter) (graph.Page[graph.Entity], error) {
	if f.entities != nil {
		return f.entities(q)
	}
	return graph.Page[graph.Entity]{}, f.space404(space)
}

func (f *fake) Entity(_ context.Context, space string, id graph.EntityID, as string) (graph.Entity, error) {
	if f.entity != nil {
		return f.entity(id, as)
	}
	return graph.Entity{ID: id}, f.space404(space)
}

func (f *fake) AddAliases(_ context.Context, space string, id graph.EntityID, aliases []string) (graph.Entity, error) {
	if f.addAliases != nil {
		return f.addAliases(id, aliases)
	}
	return graph.Entity{ID: id, Aliases: aliases}, f.space404(space)
}

func (f *fake) Neighbourhood(_ context.Context, space string, q graph.NeighbourhoodQuery) (graph.Subgraph, error) {
	if f.around != nil {
		return f.around(q)
	}
	return graph.Subgraph{}, f.space404(space)
}

func (f *fake) Paths(_ context.Context, space string, q graph.PathQuery) ([]graph.Path, error) {
	if f.paths != nil {
		return f.paths(q)
	}
	return nil, f.space404(space)
}

func (f *fake) EditMemory(_ context.Context, e relations.Edit) (graph.Receipt, error) {
	if f.edit != nil {
		return f.edit(e)
	}
	return f.receipt, nil
}

func (f *fake) RemoveMemory(_ context.Context, _ string, id graph.MemoryID, _ string, dryRun bool) (graph.Receipt, error) {
	if f.remove != nil {
		return f.remove(id, dryRun)
	}
	return f.receipt, nil
}

func (f *fake) WhoKnows(context.Context, string, graph.WhoKnowsQuery) ([]graph.Known, error) {
	return f.known, f.knownErr
}

func (f *fake) Awareness(_ context.Context, _ string, id graph.MemoryID, _ string) (graph.Known, error) {
	return graph.Known{ID: id}, f.knownErr
}

func (f *fake) Grant(_ context.Context, g relations.Grant) (graph.Known, error) {
	f.grants = append(f.grants, g)
	return graph.Known{ID: g.Memory}, f.knownErr
}

func (f *fake) Revoke(_ context.Context, g relations.Grant) (graph.Known, error) {
	f.revoked = append(f.revoked, g)
	return graph.Known{ID: g.Memory}, f.knownErr
}

// differ stands for a model that proposes diffs.
type differ func(extractor.Input, extractor.DiffOptions) (extractor.Proposed, error)

func (d differ) Diff(_ context.Context, in extractor.Input, o extractor.DiffOptions) (extractor.Proposed, error) {
	if d == nil {
		return extractor.Proposed{}, nil
	}
	return d(in, o)
}

func (f *fake) Put(_ context.Context, _ string, r graph.Relation, _ string) (graph.Relation, bool, error) {
	if f.putRelation != nil {
		return f.putRelation(r)
	}
	return r, false, nil
}

func (f *fake) Seed(_ context.Context, space string) error {
	f.seeded = append(f.seeded, space)
	return nil
}

func (f *fake) Submit(_ context.Context, s relations.Submission) (graph.Receipt, error) {
	if f.submit != nil {
		return f.submit(s)
	}
	return f.receipt, nil
}

func (f *fake) Ingest(_ context.Context, b extractor.Batch, o extractor.IngestOptions) (graph.Receipt, error) {
	if f.ingest != nil {
		return f.ingest(b, o)
	}
	return f.receipt, nil
}

// serve makes a surface over a fake, on loopback and without a key; change
// alters its options.
func serve(t *testing.T, f *fake, change ...func(*api.Options)) *api.Server {
	t.Helper()
	o := api.Options{
		Store: f, Vocabulary: f, Submitter: f, Editor: f, Ingester: f, Reader: f, Jobs: f, Differ: f.differ, Importer: f, Readiness: f,
		Loopback: true, Version: "test",
		Now: func() time.Time { return at("2026-06-05 12:00:00") },
	}
	for _, c := range change {
		c(&o)
	}
	s, err := api.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// request makes a request as a client on this machine sends it; a body is JSON
// unless header says otherwise ("Name: value").
func request(method, target, body string, header ...string) *http.Request {
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req := httptest.NewRequest(method, target, r)
	req.Host = "localhost:8080"
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	return req
}

// call sends a request and gives the answer.
func call(t *testing.T, h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// wantStatus stops a test at another status.
func wantStatus(t *testing.T, w *httptest.ResponseRecorder, status int) {
	t.Helper()
	if w.Code != status {
		t.Fatalf("status %d, want %d; body: %s", w.Code, status, w.Body)
	}
}

// wantBody compares a whole body, but for the line end that JSON bodies have.
func wantBody(t *testing.T, w *httptest.ResponseRecorder, want string) {
	t.Helper()
	if got := strings.TrimSuffix(w.Body.String(), "\n"); got != want {
		t.Errorf("body\n got %s\nwant %s", got, want)
	}
}

func (f *fake) Job(_ context.Context, id graph.JobID) (graph.Job, error) {
	j := f.job
	j.ID = id
	if j.Space == "" {
		j.Space = "cafe"
	}
	return j, f.jobErr
}

func (f *fake) Jobs(_ context.Context, space string, _ graph.JobFilter) (graph.Page[graph.Job], error) {
	return graph.Page[graph.Job]{Items: []graph.Job{{ID: 1, Space: space, State: graph.JobQueued}}}, f.space404(space)
}

func (f *fake) AddBatch(_ context.Context, b extractor.Batch, o extractor.IngestOptions) (graph.Job, error) {
	f.queued = append(f.queued, o.Key)
	return graph.Job{ID: 17, Space: b.Space, Kind: "ingest", Session: b.Session, State: graph.JobQueued}, nil
}

func (f *fake) AddParts(_ context.Context, parts []extractor.Part, _ extractor.IngestOptions) (graph.Job, error) {
	f.queued = append(f.queued, parts[0].Key)
	return graph.Job{ID: 17, Space: parts[0].Material.Space, Kind: "read", State: graph.JobQueued, Total: len(parts)}, nil
}

func (f *fake) Append(_ context.Context, b extractor.Batch, flush bool) (int, graph.JobID, error) {
	f.appended = append(f.appended, b)
	if flush {
		return 0, 17, f.jobErr
	}
	return len(b.Chats), 0, errors.Join(f.jobErr, f.space404(b.Space))
}

func (f *fake) Cancel(ctx context.Context, id graph.JobID) (graph.Job, error) { return f.Job(ctx, id) }

func (f *fake) Retry(ctx context.Context, id graph.JobID) (graph.Job, error) { return f.Job(ctx, id) }

func (f *fake) Watch(ctx context.Context, id graph.JobID) (<-chan graph.Job, error) {
	j, err := f.Job(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make(chan graph.Job, 2)
	j.State = graph.JobRunning
	out <- j
	j.State = graph.JobDone
	out <- j
	close(out)
	return out, nil
}

func (f *fake) Parts(_ context.Context, m extractor.Material, key string) ([]extractor.Part, error) {
	f.materials = append(f.materials, m)
	out := make([]extractor.Part, max(f.parts, 1))
	for i := range out {
		out[i] = extractor.Part{Material: m, Key: key, Number: i + 1, Parts: len(out)}
	}
	return out, f.readErr
}

func (f *fake) Read(context.Context, extractor.Part, extractor.IngestOptions) (graph.Receipt, error) {
	return f.receipt, f.readErr
}

func (f *fake) CheckModel() error { return nil }

func (f *fake) SearchPending(_ context.Context, _ string, questions []string, _ string, _ int) ([][]graph.FoundTurn, error) {
	out := make([][]graph.FoundTurn, len(questions))
	for i, q := range questions {
		if q != "" {
			out[i] = []graph.FoundTurn{{Source: graph.Source{Session: "s", Role: "user", Content: "我今天轮休"}}}
		}
	}
	return out, nil
}
