package api_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"relata/graph"
)

func TestAStopWaitsForWhatIsInWork(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	s := serve(t, &fake{search: func(_ context.Context, r graph.SearchRequest) ([]graph.Result, error) {
		close(entered)
		<-release
		return make([]graph.Result, len(r.Queries)), nil
	}})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l, time.Minute) }()

	answered := make(chan int, 1)
	go func() {
		r, err := http.Post("http://"+l.Addr().String()+searchPath, "application/json", strings.NewReader(`{"queries":[{"index0":"event","memory":"x"}]}`))
		if err != nil {
			t.Error(err)
			answered <- 0
			return
		}
		defer r.Body.Close()
		answered <- r.StatusCode
	}()
	<-entered
	stop()
	select {
	case err := <-served:
		t.Fatalf("it stopped with a request in work: %v", err)
	default:
	}
	close(release)
	if status := <-answered; status != 200 {
		t.Errorf("status %d", status)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if _, err := net.DialTimeout("tcp", l.Addr().String(), time.Second); err == nil {
		t.Error("it still listens")
	}
}
