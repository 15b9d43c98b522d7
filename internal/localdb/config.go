package localdb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// setting is one line of neo4j.conf.
type setting struct{ key, value string }

// settings returns the whole configuration. Neo4j validates strictly: a key
// that it does not know, or one given twice, keeps it from starting.
func settings(o Options, p ports) []setting {
	bolt, http := fmt.Sprintf("127.0.0.1:%d", p.Bolt), fmt.Sprintf("127.0.0.1:%d", p.HTTP)
	return []setting{
		{"server.default_listen_address", "127.0.0.1"},
		{"server.default_advertised_address", "127.0.0.1"},
		{"server.bolt.enabled", "true"},
		{"server.bolt.listen_address", bolt},
		{"server.bolt.advertised_address", bolt},
		{"server.http.enabled", "true"},
		{"server.http.listen_address", http},
		{"server.http.advertised_address", http},
		{"server.http.x_forward.enabled", "false"},
		{"server.https.enabled", "false"},
		{"dbms.security.auth_enabled", "true"},

		// Nothing leaves the machine.
		{"dbms.usage_report.enabled", "false"},
		{"dbms.fleet_manager.enabled", "false"},
		{"server.fleet_discovery.enabled", "false"},
		{"client.allow_telemetry", "false"},

		{"db.query.default_language", "CYPHER_25"},
		// A guard for queries typed into Browser; Relata's own have shorter limits.
		{"db.transaction.timeout", "120s"},
		{"server.memory.pagecache.size", fmt.Sprintf("%dm", o.PageCacheMB)},

		// A short way to recover after a kill, and a small folder.
		{"db.checkpoint.interval.time", "1m"},
		{"db.tx_log.rotation.retention_policy", "2 files"},
		{"db.tx_log.rotation.size", "64m"},
		{"db.tx_log.preallocate", "false"},

		// Without it a stop waits for ten seconds after all data are safe.
		{"internal.dbms.bolt.netty_server_shutdown_quiet_period_duration", "0s"},

		{"db.logs.query.enabled", "OFF"},
		{"dbms.logs.http.enabled", "false"},
		{"server.logs.gc.enabled", "false"},
	}
}

// writeConfig writes conf/neo4j.conf.
func writeConfig(o Options, p ports) error {
	var text strings.Builder
	text.WriteString("# Written anew at every start of the managed database.\n")
	for _, s := range settings(o, p) {
		fmt.Fprintf(&text, "%s=%s\n", s.key, s.value)
	}
	return writeFile(filepath.Join(data{o.DataDir}.conf(), "neo4j.conf"), []byte(text.String()))
}

// rotateConsole opens the log for a new server and keeps the one before.
func rotateConsole(d data) (*os.File, error) {
	path := d.console()
	_ = os.Rename(path, strings.TrimSuffix(path, ".log")+".previous.log")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, folderError(path, err)
	}
	return file, nil
}
