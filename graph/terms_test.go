package graph_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/graph"
)

func TestTerms(t *testing.T) {
	tests := []struct {
		name, text   string
		words, chars []string
	}{
		{"pairs and single characters", "潮汐咖啡", []string{"潮汐", "汐咖", "咖啡"}, []string{"潮", "汐", "咖", "啡"}},
		{"a character alone", "野", nil, []string{"野"}},
		{"traditional and full width", "李明華 Ｃ＋＋", []string{"李明", "明华", "c++", "c"}, []string{"李", "明", "华"}},
		{"stems", "Maya prefers meetings", []string{"maya", "prefer", "meet"}, nil},
		{"compounds whole and in parts", "R&D, AT&T; node.js", []string{"r&d", "r", "d", "at&t", "at", "t", "node.js", "node", "js"}, nil},
		{"symbols that make a name", "C# and C++.", []string{"c#", "c", "and", "c++", "c"}, nil},
		{"dates and times", "2026-04-18 10:30", []string{"2026-04-18", "2026", "04", "18", "10:30", "10", "30"}, nil},
		{"the possessive is dropped", "Maya's cat", []string{"maya", "cat"}, nil},
		{"scripts without a blank", "用C++写", []string{"c++", "c"}, []string{"用", "写"}},
		{"marks alone are no words", "-- && ++ 。。。", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			words, chars := graph.Terms(tt.text)
			if diff := cmp.Diff(tt.words, words); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.chars, chars); diff != "" {
				t.Errorf("chars (-want +got):\n%s", diff)
			}
		})
	}
}

func TestQueryTerms(t *testing.T) {
	tests := []struct {
		name, text   string
		words, chars []string
	}{
		{"common words are left out", "what is the name of the cat", []string{"name", "cat"}, nil},
		{"unless nothing else is there", "who is it", []string{"who", "is", "it"}, nil},
		{"a pair needs no single characters", "咖啡", []string{"咖啡"}, nil},
		{"one character alone is asked as such", "猫:", nil, []string{"猫"}},
		{"no repetitions", "cat cats 咖啡咖啡", []string{"cat", "咖啡", "啡咖"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			words, chars := graph.QueryTerms(tt.text)
			if diff := cmp.Diff(tt.words, words); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.chars, chars); diff != "" {
				t.Errorf("chars (-want +got):\n%s", diff)
			}
		})
	}
}
