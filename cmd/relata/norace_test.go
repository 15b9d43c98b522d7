//go:build !race

package main

// underRace: see the file for the race detector.
const underRace = false
