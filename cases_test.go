package relata_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryCaseNamesTestsThatExist holds docs/cases.md against the code: each
// case has a test, or says what it waits for.
func TestEveryCaseNamesTestsThatExist(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| (\d+) \| ([^|]+) \| ([^|]+) \|$`)
	named := regexp.MustCompile("`(?:([a-z/]+)\\.)(Test\\w+|Fuzz\\w+)`")
	var numbers []string
	for _, m := range row.FindAllStringSubmatch(text(t, "docs/cases.md"), -1) {
		numbers = append(numbers, m[1])
		tests := named.FindAllStringSubmatch(m[3], -1)
		if len(tests) == 0 && !strings.Contains(m[3], "waits for") {
			t.Errorf("case %s has no test and says not what it waits for", m[1])
		}
		for _, test := range tests {
			if !hasTest(t, test[1], test[2]) {
				t.Errorf("case %s: there is no test %s.%s", m[1], test[1], test[2])
			}
		}
	}
	want := []string{}
	for n := 1; n <= 125; n += 2 {
		want = append(want, fmt.Sprint(n))
	}
	if !slices.Equal(numbers, want) {
		t.Errorf("the page has the cases %v, want all odd numbers up to 125 in order", numbers)
	}
}

func hasTest(t *testing.T, pkg, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(code), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
