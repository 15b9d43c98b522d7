// Package bench measures Relata on real Neo4j. What it reports are ratios of
// things measured side by side in one run: a search beside the bare filtered
// vector query, a diff beside a bare transaction with the same writes. Absolute
// times depend on the machine and on what else it does; ratios much less so.
//
// Place in the flow: the subcommands of `relata bench` in cmd open a database of
// their own and call [Bench.Search], [Bench.Apply], [Bench.Import],
// [Bench.Scale] and [Bench.Profile]; each gives [Table] values for a [Report].
// The package works through graph.Store and relations.Service as everybody else
// does, hears of the statements they run by graph.WithTrace, and runs its own
// bare statements (folder statements) over the same driver. No test asserts a
// time.
//
// # Data
//
// [World] is a synthetic memory made from a seed: spaces of very different size
// (half of all memories in the largest), 500 clusters of unit vectors, entities
// of skewed degree with a hub in each space (a tenth of its memories), a fifth
// Chinese, the rest English or mixed, personas that know 0.1, 5 and 20 percent
// of the largest space. Memory n of a space is the same whatever the size of the
// world, so that a world can grow in place and an interrupted load goes on.
package bench
