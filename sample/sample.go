// Package sample is the demo's world: three bots, their friends, three months of
// chat, and for each chat the diff that a language model answered with. It is
// demo and test fixture alike; README.md beside it tells the whole.
package sample

import "embed"

// FS holds the corpus: chats/, replies/, documents/, expected/, personas.json.
//
//go:embed personas.json chats documents replies replies-broken expected
var FS embed.FS
