//go:build linux && !race

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// A boundsReport has the largest costs of the runs of each subcommand.
type boundsReport struct {
	runs, refused int
	inputs        map[string]bool
	rows          map[string]*boundsRow
}

// A boundsRow has the largest costs of a subcommand, and the inputs that took them.
type boundsRow struct {
	runs          int
	cpu           time.Duration
	peak          int
	cpuOf, peakOf string
}

// add counts a run.
func (r *boundsReport) add(g growing, u use, size int, c cost) {
	if r.rows == nil {
		r.rows, r.inputs = map[string]*boundsRow{}, map[string]bool{}
	}
	row := r.rows[u.subcommand]
	if row == nil {
		row = &boundsRow{}
		r.rows[u.subcommand] = row
	}
	r.runs++
	row.runs++
	r.inputs[g.name] = true
	if c.code != exitDone {
		r.refused++
	}
	if c.cpu > row.cpu {
		row.cpu, row.cpuOf = c.cpu, inputText(g, u, size)
	}
	if c.peak > row.peak {
		row.peak, row.peakOf = c.peak, inputText(g, u, size)
	}
}

// inputText names a use and its input.
func inputText(g growing, u use, size int) string {
	return fmt.Sprintf("`%s`, %s of %s", u.args, g.name, sizeText(size))
}

func sizeText(n int) string {
	if n < 10_000 {
		return fmt.Sprint(n, " B")
	}
	return fmt.Sprint(n/1000, " kB")
}

// print prints the counts and the table of doc/reliability.md.
func (r *boundsReport) print(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d runs of %d subcommands in %d uses with %d inputs of %d readers; %d runs ended with an error.\n\n", r.runs, len(r.rows), len(uses()), len(r.inputs), len(readers(t)), r.refused)
	b.WriteString("| subcommand | runs | most CPU time | with | most memory | with |\n|---|---:|---:|---|---:|---|\n")
	for _, name := range slices.Sorted(maps.Keys(r.rows)) {
		row := r.rows[name]
		fmt.Fprintf(&b, "| %s | %d | %.1f s | %s | %d MiB | %s |\n", name, row.runs, row.cpu.Seconds(), row.cpuOf, row.peak>>20, row.peakOf)
	}
	fmt.Println(b.String())
}
