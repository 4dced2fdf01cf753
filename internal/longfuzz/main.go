// Command longfuzz fuzzes every target of the module for its share of the time, keeps the inputs that reach statements
// no smaller one reaches, and prints how many inputs were tried and what they reach into doc/reliability.md.
//
//	go run ./internal/longfuzz -time 1h
//
// The inputs are kept where Go looks for them, in testdata/fuzz beside each target, so that all tests try them.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/npygo/npy/internal/report"
)

func main() {
	total := flag.Duration("time", time.Hour, "for all targets together")
	only := flag.String("only", "", "targets whose package or name has this in it")
	page := flag.String("page", "doc/reliability.md", "the document whose section fuzz is written; empty for none")
	flag.Parse()
	if err := run(*total, *only, *page); err != nil {
		fmt.Fprintln(os.Stderr, "longfuzz:", err)
		os.Exit(1)
	}
}

// run fuzzes all targets. One that fails leaves its input in testdata/fuzz, and the others go on.
func run(total time.Duration, only, page string) error {
	all, err := targets(".")
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(t target) bool { return !strings.Contains(t.String(), only) })
	if len(all) == 0 {
		return fmt.Errorf("no target has %q in its name", only)
	}
	work, err := os.MkdirTemp("", "longfuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	share := max(total/time.Duration(len(all)), time.Second).Round(time.Second)
	var results []result
	failed := 0
	for _, t := range all {
		fmt.Printf("%s for %v\n", t, share)
		r, err := t.fuzz(work, share)
		if err != nil {
			failed++
			fmt.Printf("%s: %v\n", t, err)
			continue
		}
		fmt.Printf("\t%d executions, %d inputs kept, %.1f %% of the statements\n", r.executions, r.kept, r.coverage)
		results = append(results, r)
	}
	if page != "" {
		err = report.Write(page, "fuzz", table(results, share, failed))
	}
	if failed > 0 {
		err = fmt.Errorf("%d of %d targets failed", failed, len(all))
	}
	return err
}

// table is the section of the document.
func table(results []result, share time.Duration, failed int) string {
	slices.SortFunc(results, func(a, b result) int { return cmp.Compare(a.target.String(), b.target.String()) })
	executions := 0
	var rows strings.Builder
	for _, r := range results {
		executions += r.executions
		fmt.Fprintf(&rows, "| %s | %s | %d | %.1f %% |\n", r.target, thousands(r.executions), r.kept, r.coverage)
	}
	return fmt.Sprintf("%d targets, %v each on %d processors with %s: %s executions, %d targets failed.\n\n"+
		"| target | executions | inputs kept | statements of its package reached |\n|---|--:|--:|--:|\n%s",
		len(results)+failed, share, runtime.GOMAXPROCS(0), runtime.Version(), thousands(executions), failed, rows.String())
}

// thousands writes a number with a comma between groups of three digits.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
