// Package jobs runs work that outlives requests and processes.
//
// Place in the flow: api and cmd add jobs ([Runner.Add]) and buffer single turns
// ([Buffer.Add]); what is to be done lies in Neo4j (graph's jobs), so that any
// process can go on with it. A [Runner] claims jobs under a lease, gives each to
// the [Handler] of its kind, and writes down how it ended; a [Buffer] makes jobs
// of turns when a conversation pauses or grows.
//
// What holds at any crash: a job that was added is run until it ended well or was
// given up with a reason; it may begin more than once, and its handler writes
// under an idempotency key, so that what it does is done once. Jobs of one session
// run one at a time in order of arrival; those of other sessions beside them.
package jobs
