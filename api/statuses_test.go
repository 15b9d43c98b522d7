package api_test

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"relata/api"
	"relata/extractor"
	"relata/graph"
	"relata/relations"
)

// failing gives the fakes whose failure an operation hands on, where that is
// not the look-up of the space.
func failing(operation string, err error) *fake {
	f := &fake{}
	switch operation {
	case "diff":
		f.differ = func(extractor.Input, extractor.DiffOptions) (extractor.Proposed, error) {
			return extractor.Proposed{}, err
		}
	case "listSpaces":
		f.spaces = err
	case "putPersona":
		f.putPersona = func(string, graph.Persona) (graph.Persona, error) { return graph.Persona{}, err }
	case "ingest":
		f.ingest = func(extractor.Batch, extractor.IngestOptions) (graph.Receipt, error) { return graph.Receipt{}, err }
	case "submitDiff":
		f.submit = func(relations.Submission) (graph.Receipt, error) { return graph.Receipt{}, err }
	case "editMemory":
		f.edit = func(relations.Edit) (graph.Receipt, error) { return graph.Receipt{}, err }
	case "deleteMemory":
		f.remove = func(graph.MemoryID, bool) (graph.Receipt, error) { return graph.Receipt{}, err }
	case "deleteSpace":
		f.deleteSpace = func(string) (graph.Deletion, error) { return graph.Deletion{}, err }
	case "putRelation":
		f.putRelation = func(graph.Relation) (graph.Relation, bool, error) { return graph.Relation{}, false, err }
	case "addAliases":
		f.addAliases = func(graph.EntityID, []string) (graph.Entity, error) { return graph.Entity{}, err }
	case "importSpace":
		f.importErr = err
	case "readDocument", "readImage":
		f.readErr = err
	case "contextBlock":
		f.search = func(context.Context, graph.SearchRequest) ([]graph.Result, error) { return nil, err }
	case "getJob", "watchJob", "retryJob", "cancelJob", "appendMessages":
		f.jobErr = err
	case "whoKnows", "grantAwareness", "revokeAwareness":
		f.knownErr = err
	case "getReadiness":
		f.ready = []graph.Check{{Name: "database", Err: err}}
	default:
		f.space = func(string) (graph.Space, error) { return graph.Space{}, err }
	}
	return f
}

// wrong is what makes the example of an operation a bad request.
var wrong = map[string]struct{ query, body string }{
	"diff": {"", "<chats>"}, "putSpace": {"", `{"timezone":"Mars"}`}, "deleteSpace": {"confirm=other", ""},
	"putPersona": {"", `{"aliases":[""]}`}, "ingest": {"", "{}"}, "submitDiff": {"", "{}"},
	"getPersona": {"", ""}, "listDiffs": {"limit=0", ""}, "getDiff": {"", ""}, "search": {"", "{}"}, "listMemories": {"limit=0", ""},
	"getMemory": {"", ""}, "editMemory": {"", `{"colour":1}`}, "deleteMemory": {"dry_run=perhaps", ""}, "getMemoryHistory": {"", ""},
	"listEntities": {"limit=0", ""}, "getEntity": {"", ""}, "getNeighbourhood": {"depth=9", ""},
	"addAliases": {"", "{}"}, "findPaths": {"from=&to=", ""}, "putRelation": {"", "{}"}, "listMessages": {"", ""},
	"readDocument": {"", `{"title":""}`}, "readImage": {"", "x"}, "contextBlock": {"", `{"max_tokens":-1}`},
	"appendMessages": {"", "{}"}, "listJobs": {"limit=0", ""}, "getJob": {"", ""}, "watchJob": {"", ""}, "retryJob": {"", ""}, "cancelJob": {"", ""},
	"getSkill": {"lang=fr", ""},
	"whoKnows": {"", `{"limit":99}`}, "listKnown": {"limit=0", ""}, "getAwareness": {"", ""},
	"grantAwareness": {"", "{}"}, "revokeAwareness": {"", "{}"}, "listRelations": {"as_persona=" + strings.Repeat("x", 300), ""},
	"listPersonas": {"as_persona=" + strings.Repeat("x", 300), ""},
}

// right is what makes a request of an operation without a body a good one.
var right = map[string]string{
	"deleteSpace": "confirm=harbour-cafe", "findPaths": "from=a&to=b", "listMessages": "ids=1",
}

// inWorld makes a space of any name exist.
func inWorld(f *fake) *fake {
	if f.space == nil {
		f.space = func(name string) (graph.Space, error) { return graph.Space{Name: name}, nil }
	}
	return f
}

// TestEveryDocumentedStatusCanHappen holds the answers that openapi.yaml
// promises for each operation against the answers that can be had.
func TestEveryDocumentedStatusCanHappen(t *testing.T) {
	codes := map[int]graph.Code{
		409: graph.CodeConflict, 422: graph.CodeVocabularyFull, 502: graph.CodeModel, 503: graph.CodeUnavailable, 504: graph.CodeTimeout,
	}
	for route, op := range readDocument(t).operations(t) {
		for text := range op.Responses {
			status, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprintf("%s %d", op.OperationID, status), func(t *testing.T) {
				method, path, _ := strings.Cut(route, " ")
				for _, p := range op.Parameters {
					if p.In == "path" {
						path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(fmt.Sprint(p.Example)))
					}
				}
				kind, body := example(t, op)
				query := right[op.OperationID]
				f, options := inWorld(&fake{personas: []graph.Persona{{Name: "小满"}}}), []func(*api.Options){}
				switch status {
				case 200:
				case 202:
					f.parts = 2
				case 201:
					f.putSpace = func(s graph.Space) (graph.Space, bool, error) { return s, true, nil }
					f.putRelation = func(r graph.Relation) (graph.Relation, bool, error) { return r, true, nil }
				case 400:
					w, ok := wrong[op.OperationID]
					if !ok {
						t.Fatal("what is a bad request here?")
					}
					query = w.query
					if w.body != "" {
						body = w.body
					} else if query == "" {
						path = strings.Replace(path, "/17", "/seventeen", 1) // a number in letters
						path = strings.Replace(path, "/personas/", "/personas/"+strings.Repeat("x", 300), 1)
					}
				case 401:
					options = append(options, func(o *api.Options) { o.APIKey = "k" })
				case 404:
					f = &fake{} // where this space does not exist
					switch op.OperationID {
					case "getJob", "watchJob", "retryJob", "cancelJob":
						f = inWorld(failing(op.OperationID, graph.Errorf(graph.CodeNotFound, "there is no such job")))
					case "editMemory", "deleteMemory", "deleteSpace", "grantAwareness":
						f = inWorld(failing(op.OperationID, graph.Errorf(graph.CodeNotFound, "it is gone")))
					}
				case 413:
					options = append(options, func(o *api.Options) { o.BodyLimit, o.FileLimit = 2, 2 })
				case 415:
					kind = "text/csv" // a kind that no route reads
				default:
					f = inWorld(failing(op.OperationID, graph.Errorf(codes[status], "it failed")))
				}
				if query != "" {
					path += "?" + query
				}
				r := request(method, path, body)
				if kind != "" {
					r.Header.Set("Content-Type", kind)
				}
				if status == 202 {
					r.Header.Set("Prefer", "respond-async")
				}
				wantStatus(t, call(t, serve(t, f, options...), r), status)
			})
		}
	}
}

// example gives the first example of a body of an operation.
func example(t *testing.T, op operation) (kind, body string) {
	t.Helper()
	for _, kind := range []string{"application/json", "application/xml", "application/x-ndjson", "multipart/form-data"} {
		media, ok := op.RequestBody.Content[kind]
		if !ok {
			continue
		}
		return exampleBody(t, kind, media.Example)
	}
	return "", ""
}
