package extractor

import (
	"context"
	"sync"
)

// queue lets one holder of a name go on at a time, in the order of arrival.
// Names that nobody waits for are forgotten.
type queue struct {
	mu    sync.Mutex
	lines map[string][]chan struct{} // those behind the holder, by name
}

// enter waits for its turn and gives the function that ends it. A wait that the
// context ends leaves the line.
func (q *queue) enter(ctx context.Context, name string) (leave func(), err error) {
	q.mu.Lock()
	if q.lines == nil {
		q.lines = make(map[string][]chan struct{})
	}
	line, held := q.lines[name]
	if !held {
		q.lines[name] = nil
		q.mu.Unlock()
		return func() { q.leave(name) }, nil
	}
	turn := make(chan struct{})
	q.lines[name] = append(line, turn)
	q.mu.Unlock()
	select {
	case <-turn:
		return func() { q.leave(name) }, nil
	case <-ctx.Done():
		q.abandon(name, turn)
		return nil, ctx.Err()
	}
}

// leave hands the name to the first in line.
func (q *queue) leave(name string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	line := q.lines[name]
	if len(line) == 0 {
		delete(q.lines, name)
		return
	}
	q.lines[name] = line[1:]
	close(line[0])
}

// abandon takes turn out of the line, or passes it on if it came meanwhile.
func (q *queue) abandon(name string, turn chan struct{}) {
	q.mu.Lock()
	line := q.lines[name]
	for i, t := range line {
		if t == turn {
			q.lines[name] = append(line[:i:i], line[i+1:]...)
			q.mu.Unlock()
			return
		}
	}
	q.mu.Unlock()
	q.leave(name)
}
