package crash_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

// memoriesPerDiff is how many memories each diff makes: one in place of one of
// the writer's diff before, from its second diff on, and the others new.
const memoriesPerDiff = 5

// written is a diff that the server acknowledged.
type written struct {
	key      string
	body     string
	id       int64
	contents []string
}

// writers are clients that send one diff after the other, each until it is
// acknowledged, wherever the server is by now.
type writers struct {
	t        *testing.T
	ctx      context.Context
	finished sync.WaitGroup
	acked    chan written

	mu      sync.Mutex
	url     string
	ending  bool
	done    []written
	retried int
}

func startWriters(ctx context.Context, t *testing.T, url string) *writers {
	w := &writers{t: t, ctx: ctx, url: url, acked: make(chan written)}
	for n := range writerCount {
		w.finished.Go(func() { w.write(n) })
	}
	go func() { w.finished.Wait(); close(w.acked) }()
	return w
}

// write is one client.
func (w *writers) write(n int) {
	for i := 0; w.goesOn(); i++ {
		d := diffOf(n, i)
		id, ok := w.send(d)
		if !ok {
			return
		}
		d.id = id
		w.acked <- d
	}
}

// send gives the id of a diff once it is acknowledged.
func (w *writers) send(d written) (int64, bool) {
	pause := time.NewTicker(50 * time.Millisecond)
	defer pause.Stop()
	for try := 1; ; try++ {
		r, err := post(w.ctx, w.address(), d.key, d.body)
		switch no := (*refused)(nil); {
		case err == nil:
			if try > 1 {
				w.mu.Lock()
				w.retried++
				w.mu.Unlock()
			}
			if r.Status != "applied" {
				w.t.Errorf("%s is %s", d.key, r.Status)
			}
			return r.DiffID, true
		case errors.As(err, &no) && no.status != http.StatusServiceUnavailable && no.status != http.StatusGatewayTimeout:
			w.t.Errorf("%s: %v", d.key, err) // a crash may show as 503 or 504 only
			return 0, false
		}
		select {
		case <-pause.C:
		case <-w.ctx.Done():
			w.t.Errorf("%s was not acknowledged in time: %v", d.key, err)
			return 0, false
		}
	}
}

func (w *writers) address() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.url
}

// moved tells where the server is now.
func (w *writers) moved(url string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.url = url
}

func (w *writers) goesOn() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.ending
}

// await returns when n more diffs are acknowledged. All writers are in the
// midst of one then.
func (w *writers) await(n int) {
	w.t.Helper()
	for range n {
		d, ok := <-w.acked
		if !ok {
			w.t.Fatal("the writers gave up")
		}
		w.done = append(w.done, d)
	}
}

// stop lets each writer finish what it sends and gives all that was
// acknowledged.
func (w *writers) stop() []written {
	w.mu.Lock()
	w.ending = true
	w.mu.Unlock()
	for d := range w.acked {
		w.done = append(w.done, d)
	}
	return w.done
}

// repeats is how many diffs had to be sent more than once.
func (w *writers) repeats() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.retried
}

type receipt struct {
	DiffID   int64  `json:"diff_id"`
	Status   string `json:"status"`
	Repeated bool   `json:"repeated"`
}

func post(ctx context.Context, url, key, body string) (receipt, error) {
	var r receipt
	raw, err := do(ctx, http.MethodPost, url+"/v1/spaces/"+spaceName+"/diffs", key, body)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(raw, &r)
}

type item struct {
	Subject  string  `json:"subject"`
	Relation string  `json:"relation"`
	Object   string  `json:"object"`
	Content  string  `json:"content"`
	MsgIDs   []int64 `json:"msg_ids,omitempty"`
	Date     string  `json:"date,omitempty"`
}

const diffDate = "2026-03-05 10:00:00"

// itemOf is memory m of diff i of a writer. Subjects are shared by all writers,
// so that they meet in the same entities.
func itemOf(writer, i, m int) item {
	subject := fmt.Sprintf("person %d", (writer+i+m)%7)
	return item{
		Subject: subject, Relation: "like", Object: fmt.Sprintf("thing %d-%d-%d", writer, i, m),
		Content: fmt.Sprintf("%s likes thing %d-%d-%d.", subject, writer, i, m),
	}
}

// diffOf is diff i of a writer.
func diffOf(writer, i int) written {
	d := written{key: fmt.Sprintf("writer-%d-%d", writer, i)}
	message := int64(1 + writer + writerCount*i)
	var items []item
	for m := range memoriesPerDiff {
		it := itemOf(writer, i, m)
		it.MsgIDs = []int64{message}
		items = append(items, it)
		d.contents = append(d.contents, it.Content)
	}
	memories := map[string]any{"increments": items}
	if i > 0 {
		old := itemOf(writer, i-1, 1)
		old.Date = diffDate
		memories = map[string]any{
			"replaces":   []any{map[string]any{"source": old, "target": items[0]}},
			"increments": items[1:],
		}
	}
	body, err := json.Marshal(map[string]any{
		"session_id": fmt.Sprintf("session %d-%d", writer, i), "date": diffDate, "persona": []string{"小满"},
		"chats": []any{map[string]any{
			"id": message, "date": diffDate, "role": "user", "speaker": "阿岩",
			"content": fmt.Sprintf("message %d", message),
		}},
		"memories": memories,
	})
	if err != nil {
		panic(err) // maps of texts and numbers can be written
	}
	d.body = string(body)
	return d
}
