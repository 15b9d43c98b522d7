//go:build race

package main

// underRace: the local embedder is some ten times slower then.
const underRace = true
