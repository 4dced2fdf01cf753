//go:build linux && amd64

package faults_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/faults"
	"github.com/npygo/npy/internal/report"
)

var page = flag.String("report", "", "the `document` whose section faults gets what was tried")

// A tally counts the tests of a function: the runs with a fault in one call, the runs that killed the process, and the
// bytes lost.
type tally struct{ runs, kills, lost int }

// tallies are the tallies of all functions, by name. Tests of functions run one after another.
var tallies = map[string]*tally{}

// count adds a run.
func count(what string, fault faults.Fault, lost int) {
	t := tallies[what]
	if t == nil {
		t = &tally{}
		tallies[what] = t
	}
	t.runs++
	t.lost += lost
	if fault == faults.Killed || fault == faults.Torn {
		t.kills++
	}
}

// write writes the section of the document, if one is requested.
func write(t *testing.T, loaded int) {
	t.Helper()
	if *page == "" {
		return
	}
	var all tally
	var rows strings.Builder
	for _, what := range slices.Sorted(maps.Keys(tallies)) {
		one := tallies[what]
		all.runs, all.kills, all.lost = all.runs+one.runs, all.kills+one.kills, all.lost+one.lost
		fmt.Fprintf(&rows, "| %s | %d | %d | %d |\n", what, one.runs, one.kills, one.lost)
	}
	text := fmt.Sprintf("%d functions, %d runs with a fault, %d of them kills: %d bytes lost. NumPy loads all %d different files that were left while rows were appended.\n\n"+
		"| function | runs with a fault | kills survived | bytes lost |\n|---|--:|--:|--:|\n%s", len(tallies), all.runs, all.kills, all.lost, loaded, rows.String())
	if err := report.Write(*page, "faults", text); err != nil {
		t.Error(err)
	}
}
