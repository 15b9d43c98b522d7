// Package migrations brings a database to the schema that this build expects.
//
// Place in the flow: cmd (and tests) call [Migrate] before a store is used;
// `relata serve` does so by itself only on its own local database. Files are
// named V001__name.cypher, are immutable once released, go forward only and
// hold schema only. The ledger is one (:Migration) node each with a checksum;
// a lease node keeps two processes from migrating at once.
//
// The vector indexes are the exception: they follow (:Meta), which records the
// embedding model and its dimensions. See [EnsureVectors], and [Reembedding] for
// another model.
package migrations
