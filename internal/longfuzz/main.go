// Command longfuzz fuzzes every target of the module for its share of the time. It keeps the inputs that reach
// statements no smaller input reaches, and writes the number of tried inputs and their coverage into
// doc/reliability.md.
//
//	go run ./internal/longfuzz -time 1h
//
// The inputs are kept where Go looks for them, in testdata/fuzz beside each target, so that all tests try them.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/npygo/npy/internal/report"
)

func main() {
	total := flag.Duration("time", time.Hour, "for all targets together")
	only := flag.String("only", "", "a regular expression of targets such as npz.FuzzEdit")
	page := flag.String("page", "doc/reliability.md", "the document whose section fuzz is written; empty for none")
	flag.Parse()
	if err := run(*total, *only, *page); err != nil {
		fmt.Fprintln(os.Stderr, "longfuzz:", err)
		os.Exit(1)
	}
}

// run fuzzes all targets. A target that fails leaves its input in testdata/fuzz, and the others continue. The document
// is written after each target, so that an interrupted run leaves its results.
func run(total time.Duration, only, page string) error {
	all, err := targets(".")
	if err != nil {
		return err
	}
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(t target) bool { return !wanted.MatchString(t.String()) })
	if len(all) == 0 {
		return fmt.Errorf("no target is called %q", only)
	}
	work, err := os.MkdirTemp("", "longfuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	share := max(total/time.Duration(len(all)), time.Second).Round(time.Second)
	failed := 0
	for _, t := range all {
		fmt.Printf("%s for %v\n", t, share)
		r, err := t.fuzz(work, share)
		if err != nil {
			failed++
			fmt.Printf("%s: %v\n", t, err)
			continue
		}
		fmt.Println(r.row())
		if err := note(page, r); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d targets failed", failed, len(all))
	}
	return nil
}

// note puts a result into the section of the document, in place of an earlier result for the target.
func note(page string, r result) error {
	if page == "" {
		return nil
	}
	old, err := report.Read(page, "fuzz")
	if err != nil {
		return err
	}
	rows := []string{r.row()}
	for line := range strings.Lines(old) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "| ") && strings.Contains(line, ".Fuzz") && !strings.HasPrefix(line, "| "+r.String()+" |") {
			rows = append(rows, line)
		}
	}
	slices.Sort(rows)
	return report.Write(page, "fuzz", table(rows))
}

// row is the line of a result in the table.
func (r result) row() string {
	return fmt.Sprintf("| %s | %v | %s | %d | %.1f %% |", r.target, r.time, thousands(r.executions), r.kept, r.coverage)
}

// table is the section of the document.
func table(rows []string) string {
	var duration time.Duration
	executions := 0
	for _, row := range rows {
		cells := strings.Split(row, " | ")
		d, _ := time.ParseDuration(cells[1])
		n, _ := strconv.Atoi(strings.ReplaceAll(cells[2], ",", ""))
		duration, executions = duration+d, executions+n
	}
	return fmt.Sprintf("%d targets, %v in all on %d processors with %s: %s executions, and no target fails.\n\n"+
		"| target | time | executions | inputs kept | statements of its package reached |\n|---|--:|--:|--:|--:|\n%s\n",
		len(rows), duration, runtime.GOMAXPROCS(0), runtime.Version(), thousands(executions), strings.Join(rows, "\n"))
}

// thousands writes a number with a comma between groups of three digits.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
