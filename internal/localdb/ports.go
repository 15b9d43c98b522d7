package localdb

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// ports are the two that a server listens on, kept in ports.json so that
// bookmarks and saved connections survive a restart.
type ports struct {
	Bolt int `json:"bolt"`
	HTTP int `json:"http"`
}

// Ports are drawn below 32768, where Linux begins to hand them out to outgoing
// connections, and at random, so that two databases that start at the same
// moment hardly ever meet.
const (
	firstPort = 20000
	lastPort  = 32000
)

func (p ports) boltURI() string    { return fmt.Sprintf("bolt://127.0.0.1:%d", p.Bolt) }
func (p ports) httpURL() string    { return fmt.Sprintf("http://127.0.0.1:%d", p.HTTP) }
func (p ports) browserURL() string { return p.httpURL() + "/browser/" }

// known reports whether ports were chosen at all.
func (p ports) known() bool { return p.Bolt != 0 && p.HTTP != 0 }

// taken returns the first port that another program listens on, or zero.
func (p ports) taken() int {
	for _, port := range []int{p.Bolt, p.HTTP} {
		if !portFree(port) {
			return port
		}
	}
	return 0
}

func portFree(port int) bool {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	_ = listener.Close()
	return true
}

// choosePorts draws two free ports.
func choosePorts() (ports, error) {
	var found []int
	for range 500 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if len(found) == 1 && found[0] == port || !portFree(port) {
			continue
		}
		if found = append(found, port); len(found) == 2 {
			return ports{Bolt: found[0], HTTP: found[1]}, nil
		}
	}
	return ports{}, newError(CodePortTaken, nil, "no two free ports between %d and %d on 127.0.0.1", firstPort, lastPort)
}

// settlePorts returns the remembered ports if they are free, else new ones,
// which it remembers.
func settlePorts(o Options) (ports, error) {
	d := data{o.DataDir}
	var p ports
	if _, err := readJSON(d.ports(), &p); err != nil {
		return ports{}, err
	}
	if p.known() {
		taken := p.taken()
		if taken == 0 {
			return p, nil
		}
		o.Progress(fmt.Sprintf("port %d is in use by another program, choosing new ports", taken))
	}
	p, err := choosePorts()
	if err != nil {
		return ports{}, err
	}
	return p, writeJSON(d.ports(), p)
}
