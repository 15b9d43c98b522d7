// Package relations is the managed vocabulary and the judge of diffs.
//
// Place in the flow: extractor (or a client) brings a [Proposal]; [Plan] turns
// it into a graph.ChangeSet over the state of the space and gives every item
// one verdict; [Service.Submit] reads that state, plans and applies within one
// transaction of graph.Store, and answers with a receipt.
//
// Plan is pure: the same proposal and state give the same change set, so it may
// run twice when a transaction is retried.
package relations
