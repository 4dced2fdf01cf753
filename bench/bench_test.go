package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy/internal/built"
)

// startOrSkip starts NumPy. Without NumPy only Go's columns are measured, except in CI, where NumPy must be installed.
func startOrSkip(t *testing.T, dir string) *worker {
	t.Helper()
	numpy, err := startNumPy(dir)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Log(err)
		return nil
	}
	t.Cleanup(func() {
		if err := numpy.Close(); err != nil {
			t.Error(err)
		}
	})
	return numpy
}

// Every row runs once with little data, to check that all contenders give the same result.
func TestEveryRow(t *testing.T) {
	if testing.Short() {
		t.Skip("every row takes a minute on a busy machine")
	}
	if err := built.Inputs(); err != nil { // of the row that starts the command
		t.Fatal(err)
	}
	dir := t.TempDir()
	b := newBench(dir, minSize, 1, startOrSkip(t, dir))
	names := map[string]bool{}
	for _, r := range allRows(b.corpus) {
		if names[r.name] {
			t.Errorf("two rows are called %q", r.name)
		}
		names[r.name] = true
		t.Run(r.name, func(t *testing.T) {
			m, err := b.measure(r)
			if err != nil {
				t.Fatal(err)
			}
			if m.Times[npyName].Median <= 0 {
				t.Errorf("npy took %v", m.Times[npyName].Median)
			}
			if b.numpy != nil && m.Ratio <= 0 {
				t.Errorf("NumPy took part with %v, ratio %v", m.Times[numpyName].Samples, m.Ratio)
			}
		})
	}
}

func TestWrongAnswersAreNotTimed(t *testing.T) {
	timed := 0
	answer := func(text string) work {
		return func() (any, error) { timed++; return text, nil }
	}
	r := &row{name: "wrong", npy: answer("42"), others: map[string]work{"other": answer("41")}}
	_, err := newBench(t.TempDir(), minSize, 1, nil).measure(r)
	if err == nil || !strings.Contains(err.Error(), "results differ") || timed != 2 {
		t.Errorf("measure of contenders that differ: %v after %d runs, want an error after 2", err, timed)
	}
}

// The Python process returns a different digest for other values, and its mistakes as errors.
func TestNumPyAnswersForItself(t *testing.T) {
	numpy := startOrSkip(t, t.TempDir())
	if numpy == nil {
		t.Skip("no NumPy")
	}
	for _, test := range []struct{ numpy, want string }{
		{`"42"`, ""},
		{`"41"`, "results differ"},
		{`1 / 0`, "ZeroDivisionError"},
		{`np.nothing`, "AttributeError"},
	} {
		r := &row{ops: 1, numpy: test.numpy, npy: func() (any, error) { return "42", nil }}
		_, err := newBench(t.TempDir(), minSize, 1, numpy).measure(r)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("measure against %s: error %v, want %q", test.numpy, err, test.want)
		}
	}
}

// Without NumPy a run reports it and has the columns of Go only.
func TestRunWithoutNumPy(t *testing.T) {
	t.Setenv("NPY_PYTHON", filepath.Join(t.TempDir(), "python"))
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	if code := run([]string{"--rows", "^(read a header|strided slice)$", "--rounds", "2", "--size", "64KB", "--dir", dir, "--json"}, &stdout, &stderr); code != 0 {
		t.Fatalf("run: exit code %d: %s", code, &stderr)
	}
	if !strings.Contains(stderr.String(), "Go only: no Python with NumPy") {
		t.Errorf("standard error does not say that NumPy is missing: %s", &stderr)
	}
	var r report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 || len(r.Rows[0].Times[npyName].Samples) != 2 || r.Rows[0].Ratio != 0 {
		t.Errorf("rows %+v, want two with two samples of npy and no ratio", r.Rows)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWrongUse(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--size", "1 MB"}, 2, "no size"},
		{[]string{"--size", "1KB"}, 2, "at least 64KB"},
		{[]string{"--size", "KB"}, 2, "no size"},
		{[]string{"--rounds", "0"}, 2, "at least one"},
		{[]string{"--rows", "("}, 2, "missing closing )"},
		{[]string{"load"}, 2, "--rows"},
		{[]string{"--rows", "nothing"}, 1, "no row"},
		{[]string{"--help"}, 0, "-dir"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(test.args, &stdout, &stderr); code != test.code {
			t.Errorf("run(%q) = %d, want %d: %s", test.args, code, test.code, &stderr)
		}
		if !strings.Contains(stderr.String(), test.want) || stdout.Len() > 0 {
			t.Errorf("run(%q) says %q and %q, want %q", test.args, &stdout, &stderr, test.want)
		}
	}
}

// testReport returns a report with one row that has every value and one that has none.
func testReport() report {
	ms := func(times ...time.Duration) []time.Duration {
		for i := range times {
			times[i] *= time.Millisecond
		}
		return times
	}
	full := newMeasurement(&row{family: "Loading", name: "load", does: "some bytes", limit: &limit{name: "pread"}}, map[string][]time.Duration{
		npyName: ms(10, 20, 30, 40, 50), numpyName: ms(30, 50, 100, 80, 200), "gonpy": ms(7000), limitName(1): ms(8), limitName(2): ms(5),
	})
	bare := newMeasurement(&row{family: "Saving", name: "save", does: "nothing"}, map[string][]time.Duration{npyName: {1500}})
	return report{
		Machine: machine{CPU: "Abacus", CPUs: 2, OS: "plan9", Go: "go1", NumPy: "NumPy 2"},
		Date:    time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Size: 3 << 20, Rounds: 5, Rows: []measurement{full, bare},
	}
}

func TestTable(t *testing.T) {
	const want = `Abacus, 2 CPUs, plan9, go1, NumPy 2
2026-02-01, large arrays of 3 MB, medians of 5 rounds and their quartiles

LOADING  npy    quartiles    NumPy  quartiles     ratio  npyio  gonpy  limit
load     30 ms  20 ms–40 ms  80 ms  50 ms–100 ms  2.7x          7.0 s  8.0 ms / 5.0 ms, pread

SAVING  npy     quartiles      NumPy  quartiles  ratio  npyio  gonpy  limit
save    1.5 µs  1.5 µs–1.5 µs                                         

The machine was noisy, the quartiles of npy or NumPy more than 20 % of the median apart, in 1 of 2 rows: load.
`
	var got strings.Builder
	if err := printTable(&got, testReport()); err != nil || got.String() != want {
		t.Errorf("printTable, error %v, prints\n%swant\n%s", err, &got, want)
	}
}

func TestMarkdown(t *testing.T) {
	var got strings.Builder
	if err := printMarkdown(&got, testReport()); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| load | 30 ms (20 ms–40 ms) | 80 ms (50 ms–100 ms) | **2.7x** |  | 7.0 s | 8.0 ms / 5.0 ms, pread |",
		"| save | 1.5 µs (1.5 µs–1.5 µs) |  |  |  |  |  |",
		"- *load*: some bytes.",
		"## Saving",
	} {
		if !strings.Contains(got.String(), "\n"+line+"\n") {
			t.Errorf("the page lacks the line %q:\n%s", line, &got)
		}
	}
}

func TestQuantile(t *testing.T) {
	for _, test := range []struct {
		values []time.Duration
		p      float64
		want   time.Duration
	}{
		{[]time.Duration{7}, 0.25, 7},
		{[]time.Duration{3, 1, 2}, 0.5, 2},
		{[]time.Duration{4, 2}, 0.5, 3},
		{[]time.Duration{1, 2, 3, 4, 5}, 0.75, 4},
		{[]time.Duration{1, 2}, 1, 2},
	} {
		if got := quantile(test.values, test.p); got != test.want {
			t.Errorf("quantile(%v, %v) = %v, want %v", test.values, test.p, got, test.want)
		}
	}
}
