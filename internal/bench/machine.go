package bench

import (
	"bufio"
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// Machine is what a report was measured on.
type Machine struct {
	Date        time.Time `json:"date"`
	OS          string    `json:"os"` // and architecture
	CPU         string    `json:"cpu,omitempty"`
	Cores       int       `json:"cores"`
	MemoryMB    int       `json:"memory_mb,omitempty"`
	Load        string    `json:"load,omitempty"` // averages of 1, 5 and 15 minutes at the beginning
	Go          string    `json:"go"`
	Experiments string    `json:"goexperiment,omitempty"`
	Neo4j       string    `json:"neo4j"`
	Java        string    `json:"java,omitempty"`
	HeapMB      int       `json:"heap_mb,omitempty"` // largest heap of the server
}

// Machine describes this machine and the server.
func (b *Bench) Machine(ctx context.Context) (Machine, error) {
	m := Machine{
		Date: time.Now().UTC().Truncate(time.Second), OS: runtime.GOOS + "/" + runtime.GOARCH,
		Cores: runtime.NumCPU(), Go: runtime.Version(),
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOEXPERIMENT" {
				m.Experiments = s.Value
			}
		}
	}
	m.CPU = field("/proc/cpuinfo", "model name")
	if kb, err := strconv.Atoi(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB")); err == nil {
		m.MemoryMB = kb / 1024
	}
	if raw, err := os.ReadFile("/proc/loadavg"); err == nil {
		if parts := strings.Fields(string(raw)); len(parts) >= 3 {
			m.Load = strings.Join(parts[:3], " ")
		}
	}
	rows, err := b.rows(ctx, "components", nil)
	if err != nil {
		return m, err
	}
	for _, r := range rows {
		row := r.AsMap()
		if name, _ := row["name"].(string); strings.Contains(name, "Kernel") {
			version, _ := row["version"].(string)
			edition, _ := row["edition"].(string)
			m.Neo4j = version + " " + edition
		}
	}
	// Some hosted servers do not tell.
	if row, err := b.row(ctx, "jvm", nil); err == nil {
		m.Java, _ = row["java"].(string)
		if bytes, ok := row["heap"].(int64); ok {
			m.HeapMB = int(bytes >> 20)
		}
	}
	return m, nil
}

// field gives the value of a line "name: value" of a file, "" where there is none.
func field(path, name string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// heapMB is the heap in use of this process.
func heapMB() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse) / (1 << 20)
}

// processMB is the memory of a process of this machine; false where it cannot be
// read.
func processMB(pid int) (float64, bool) {
	if pid == 0 {
		return 0, false
	}
	kb, err := strconv.Atoi(strings.TrimSuffix(field("/proc/"+strconv.Itoa(pid)+"/status", "VmRSS"), " kB"))
	return float64(kb) / 1024, err == nil
}
