//go:build linux || darwin

package localdb

import (
	"strings"
	"testing"
)

// TestProcStart reads lines as the kernel writes them.
func TestProcStart(t *testing.T) {
	line := func(name, state, threads string) string {
		return "15620 (" + name + ") " + state + " 1 15620 15620 0 -1 4194304 51 0 0 0 1 2 0 0 25 5 " + threads + " 0 88532 3877969920 101377 18446744073709551615"
	}
	tests := []struct {
		name, stat string
		alive      bool
	}{
		{"sleeping", line("java", "S", "60"), true},
		{"a name with blanks and brackets", line("a) Z (b", "R", "1"), true},
		{"a zombie", line("java", "Z", "1"), false},
		{"killed, with threads that still hold its ports", line("java", "Z", "14"), true},
		{"dead", line("java", "X", "1"), false},
		{"cut short", "15620 (java) S 1", false},
		{"empty", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			started, alive := procStart([]byte(test.stat))
			if alive != test.alive || alive && !strings.HasSuffix(started, "/88532") {
				t.Errorf("procStart = %q, %v; want alive %v", started, alive, test.alive)
			}
		})
	}
}
