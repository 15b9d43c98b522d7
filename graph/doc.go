// Package graph holds Relata's domain types and its store on Neo4j.
//
// Place in the flow: everything above (relations plans, extractor asks models,
// api speaks HTTP) works with the plain structs of this package; everything
// that reaches the database goes through [Store]. A diff is applied in one
// transaction ([Store.Write], [Tx.Apply]); a search embeds its queries once and
// reads in at most two round trips ([Store.Search]).
//
// Every statement lives in package cypher; labels and properties are described
// in docs/schema.md. All methods are scoped by space: a method that takes a
// space name never reads or writes another one's data.
package graph
