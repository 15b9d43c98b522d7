package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"

	"relata/graph"
)

// publicRoutes hold no data of any space and are open to everybody who reaches
// the server: probes have no key, and the document says how to get one.
var publicRoutes = map[string]bool{"/healthz": true, "/readyz": true, "/openapi.yaml": true, "/docs": true, skillRoute: true}

// skillRoute is the skill file for agents, mcpRoute where they call.
const skillRoute, mcpRoute = "/skills/search-long-term-memory", "/mcp"

// guard admits a request or refuses it. With a key configured, every route but
// the public ones asks for it. Without one, only this machine can connect, and
// what is left to fear is a browser on it that runs somebody else's page.
func (s *Server) guard(next echo.HandlerFunc) echo.HandlerFunc {
	crossOrigin := http.NewCrossOriginProtection()
	return func(c echo.Context) error {
		r := c.Request()
		if s.APIKey != "" {
			if !publicRoutes[c.Path()] && !s.hasKey(r) {
				return graph.Errorf(graph.CodeUnauthorized, "a valid key is needed: send it as Authorization: Bearer …")
			}
			return next(c)
		}
		// A foreign name that was made to point here would make a foreign page
		// same-origin with us.
		if !loopbackHost(r.Host) {
			return graph.Errorf(graph.CodeForbidden, "without RELATA_API_KEY the server answers only to localhost, 127.0.0.1 and [::1], not to %q", r.Host)
		}
		if err := crossOrigin.Check(r); err != nil || embedded(r) {
			return graph.Errorf(graph.CodeForbidden, "a page from elsewhere may not call this server: set RELATA_API_KEY and let your own server call it")
		}
		return next(c)
	}
}

// embedded says that a foreign page loads us as part of itself, from which it
// could tell by time or size what is remembered. Following a link is no such
// thing.
func embedded(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

func (s *Server) hasKey(r *http.Request) bool {
	scheme, key, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	// Sums have one length, so that the time taken tells nothing of the key's.
	sum := sha256.Sum256([]byte(strings.TrimSpace(key)))
	return subtle.ConstantTimeCompare(sum[:], s.keySum[:]) == 1
}

// loopbackHost says whether a Host header names this machine.
func loopbackHost(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(host, "."), "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}
