// Bench measures npy beside NumPy and the other Go packages that read array files, in one run on one machine.
//
//	go run ./bench                        a table of every row
//	go run ./bench --rows 'load|save'     of some
//	go run ./bench --size 1GB             with larger arrays
//	go run ./bench --markdown             doc/performance.md
//
// Contenders take turns on the same files. Before anything is timed, their results must be equal. NumPy runs in a
// process of its own, which times its own work. Compare ratios, not seconds: seconds depend on the machine and on its
// other work.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options holds the flags.
type options struct {
	rows   *regexp.Regexp
	rounds int
	size   int64
	dir    string
	format func(io.Writer, report) error
}

// run runs the program and returns the exit code: 0 done, 1 a row failed, 2 wrong use.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	r, err := o.measure(stderr)
	if err == nil {
		err = o.format(stdout, r)
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{size: 256 << 20, format: printTable}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rows := flags.String("rows", "", "measure only the rows whose name matches this `regexp`")
	flags.IntVar(&o.rounds, "rounds", 7, "how often each contender is timed")
	flags.Func("size", "size of the large arrays, as 64KB, 256MB or 1GB (default 256MB)", func(text string) (err error) {
		o.size, err = parseSize(text)
		return err
	})
	flags.StringVar(&o.dir, "dir", os.TempDir(), "where files are written, and removed again, about five times the size")
	flags.BoolFunc("json", "print everything measured as JSON", func(string) error { o.format = printJSON; return nil })
	flags.BoolFunc("markdown", "print the page doc/performance.md", func(string) error { o.format = printMarkdown; return nil })
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q: rows are chosen with --rows", flags.Arg(0))
	}
	if o.rounds < 1 {
		return o, fmt.Errorf("--rounds %d: at least one is needed", o.rounds)
	}
	var err error
	o.rows, err = regexp.Compile(*rows)
	return o, err
}

// parseSize reads a number of bytes; units are powers of 1024.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "KMGB")
	unit, ok := map[string]int64{"": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}[text[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 32)
	if !ok || err != nil || n*unit < minSize {
		return 0, fmt.Errorf("%q is no size of at least 64KB: write it like 256MB", text)
	}
	return n * unit, nil
}

// measure makes the files in a temporary folder, which is removed at the end, and measures the rows. An interrupt
// ends it after the current row.
func (o options) measure(stderr io.Writer) (report, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp(o.dir, "npy-bench-")
	if err != nil {
		return report{}, err
	}
	defer os.RemoveAll(dir)
	numpy, err := startNumPy(dir)
	if err != nil {
		fmt.Fprintln(stderr, "bench: Go only:", err)
	} else {
		defer numpy.Close()
	}
	b := newBench(dir, o.size, o.rounds, numpy)
	r := report{Machine: thisMachine(numpy), Date: time.Now(), Size: o.size, Rounds: o.rounds}
	chosen := o.choose(allRows(b.corpus))
	if len(chosen) == 0 {
		return r, fmt.Errorf("no row's name matches %q", o.rows)
	}
	for i, row := range chosen {
		fmt.Fprintf(stderr, "%2d/%d %s\n", i+1, len(chosen), row.name)
		m, err := b.measure(row)
		if err != nil {
			return r, fmt.Errorf("%s: %w", row.name, err)
		}
		r.Rows = append(r.Rows, m)
		if ctx.Err() != nil {
			return r, errors.New("interrupted")
		}
		chosen[i] = nil // releases the memory that the row holds
		if err := b.corpus.keepFor(chosen[i+1:]); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (o options) choose(rows []*row) (chosen []*row) {
	for _, r := range rows {
		if o.rows.MatchString(r.name) {
			chosen = append(chosen, r)
		}
	}
	return chosen
}
