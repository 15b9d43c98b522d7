package localdb

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// probeTimeout bounds one question to a server on loopback.
const probeTimeout = 2 * time.Second

// boltAnswers reports whether a Bolt server takes the handshake at the port.
func boltAnswers(ctx context.Context, port int) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(probeTimeout))
	// The magic number, then four proposals: 5.8 down to 5.0, 4.4 to 4.2, none, none.
	hello := []byte{0x60, 0x60, 0xB0, 0x17, 0, 8, 8, 5, 0, 2, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0}
	if _, err := conn.Write(hello); err != nil {
		return false
	}
	var chosen [4]byte
	_, err = io.ReadFull(conn, chosen[:])
	return err == nil && chosen != [4]byte{}
}

// authenticates runs RETURN 1 over HTTP: the answer tells that the database is
// online, and whether the password is right. Refused is true for a wrong one.
func authenticates(ctx context.Context, p ports, password string) (ready, refused bool) {
	ctx, cancel := context.WithTimeout(ctx, 5*probeTimeout) // the first query is planned on a cold JVM
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.httpURL()+"/db/neo4j/query/v2",
		strings.NewReader(`{"statement":"RETURN 1"}`))
	if err != nil {
		return false, false
	}
	request.SetBasicAuth(User, password)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // straight, past any proxy
	response, err := client.Do(request)
	if err != nil {
		return false, false
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	ready = err == nil && response.StatusCode/100 == 2 && bytes.Contains(body, []byte(`"data"`))
	return ready, response.StatusCode == http.StatusUnauthorized
}
