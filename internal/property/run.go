// Package property compares this module with the NumPy of the machine on random cases: the tests of the package are one
// driver for each area, such as the bytes of files or the printing of arrays. They use the public packages and the
// command only.
//
// A driver makes a case from a number (G), asks NumPy about it (a question in JSON, answered by a script in python/),
// does the same with this module, and compares. A difference is shrunk before it is reported, in one line with the
// number of the case. Intended differences are in one table, known_test.go, with the line of doc/differences.md about
// each.
//
//	NPY_CASES   how many times the default number of cases to run: 100, 0.1
//	NPY_CASE    the number of the one case to run
//	NPY_FROM    the number of the first case
//	NPY_LIVE    a file to which a line with the counts of each area is appended
//	NPY_PYTHON  the interpreter with the NumPy to compare with, as for package oracle
package property

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

//go:embed python
var scripts embed.FS

// An Area is one driver.
type Area struct {
	Name  string // also of its script in python/
	Cases int    // the default number of cases

	// Case makes a case. The script answers its question.
	Case func(g *G, e *Env) *Case
}

// A Case is a question to NumPy and a check of the answer.
type Case struct {
	Ask   any                              // becomes JSON
	Text  func() string                    // the case in a line
	Check func(r *Report, a oracle.Answer) // compares
	Facts any                              // the facts for the table of known differences, by area
	Files []string                         // removed at the end
}

// An Env is the environment of a driver.
type Env struct {
	NumPy    string // version
	Versions map[string]string
	Dir      string

	files atomic.Int64
}

// NumPy2 reports whether NumPy is of version 2 or later.
func (e *Env) NumPy2() bool { return e.NumPy[0] != '1' }

// Have returns the kinds that this Python also has.
func (e *Env) Have(k Kinds) Kinds {
	if e.Versions["ml_dtypes"] == "" {
		k &^= Small
	}
	return k
}

// Path returns an unused path in the folder of the test.
func (e *Env) Path(name string) string {
	return filepath.Join(e.Dir, strconv.FormatInt(e.files.Add(1), 10)+"-"+name)
}

// Counts are the figures of a run.
type Counts struct {
	Area        string `json:"area"`
	NumPy       string `json:"numpy"`
	Cases       int    `json:"cases"`
	Comparisons int    `json:"comparisons"`
	Meant       int    `json:"meant"`   // intended differences, in doc/differences.md
	Pending     int    `json:"pending"` // known faults
	Differences int    `json:"differences"`
}

// A Difference is one failed comparison.
type Difference struct {
	Area  string
	NumPy string // its version
	What  string // of the comparison
	Got   string // ours
	Want  string // NumPy's
	Case  *Case
}

// A Report collects the comparisons of one case.
type Report struct {
	comparisons int
	found       []Difference
	area        string
	env         *Env
	c           *Case
}

// Path returns a path for a file or folder of the case, which is removed after it.
func (r *Report) Path(name string) string {
	path := r.env.Path(name)
	r.c.Files = append(r.c.Files, path)
	return path
}

// Equal compares two texts.
func (r *Report) Equal(what, got, want string) bool {
	r.comparisons++
	if got != want {
		r.found = append(r.found, Difference{r.area, r.env.NumPy, what, got, want, r.c})
	}
	return got == want
}

// True is a comparison with a known result; text describes it.
func (r *Report) True(what string, ok bool, got, want string) bool {
	if ok {
		r.comparisons++
		return true
	}
	if got == want {
		got += " (ours)"
	}
	return r.Equal(what, got, want)
}

// batch is the number of cases in one question.
const batch = 50

// Run runs the cases of an area. table holds all expected differences.
func Run(t *testing.T, a Area, table []Known) {
	t.Parallel()
	common, err := scripts.ReadFile("python/common.py")
	if err != nil {
		t.Fatal(err)
	}
	script, err := scripts.ReadFile("python/" + a.Name + ".py")
	if err != nil {
		t.Fatal(err)
	}
	text := string(common) + "\n" + string(script)
	s := oracle.NewSession(t, text)
	d := &driver{t: t, area: a, known: table, script: text, session: s, env: &Env{NumPy: s.Versions["numpy"], Versions: s.Versions, Dir: t.TempDir()}}
	first, n := scope(t, a.Cases)
	d.counts = Counts{Area: a.Name, NumPy: d.env.NumPy, Cases: n}
	d.all(first, n)
	d.finish()
}

// scope returns the number of the first case and the number of cases to run.
func scope(t *testing.T, cases int) (first int64, n int) {
	number := func(name string) (float64, bool) {
		text := os.Getenv(name)
		if text == "" {
			return 0, false
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x < 0 {
			t.Fatalf("%s=%s is no number of cases", name, text)
		}
		return x, true
	}
	if one, ok := number("NPY_CASE"); ok {
		return int64(one), 1
	}
	if testing.Short() {
		cases /= 10
	}
	cases = max(cases/slower, 1)
	if times, ok := number("NPY_CASES"); ok {
		cases = max(int(float64(cases)*times), 1)
	}
	from, _ := number("NPY_FROM")
	return int64(from), cases
}

// A driver runs an area.
type driver struct {
	t       *testing.T
	area    Area
	known   []Known
	script  string
	session *oracle.Session
	env     *Env
	counts  Counts
	failed  []failure
	used    map[string]int // entries of the table of known differences
}

// A failure is a case with an unexpected difference.
type failure struct {
	number int64
	record []uint64
	Difference
}

// A made is a case with its record.
type made struct {
	number int64
	record []uint64
	c      *Case
	ask    json.RawMessage
}

// all runs n cases. While Python works on a batch, the one before is checked.
func (d *driver) all(first int64, n int) {
	var before []made
	for start := 0; start < n; start += batch {
		var cases []made
		for i := start; i < min(start+batch, n); i++ {
			m, err := d.make(NewG(d.area.Name, first+int64(i)))
			if err != nil {
				d.t.Fatalf("case %d: %v", first+int64(i), err)
			}
			m.number = first + int64(i)
			cases = append(cases, m)
		}
		d.session.Send(asks(cases))
		d.checkAll(before, cases)
		before = cases
	}
	d.checkAll(before, nil)
}

func asks(cases []made) []json.RawMessage {
	list := make([]json.RawMessage, len(cases))
	for i, m := range cases {
		list[i] = m.ask
	}
	return list
}

// checkAll checks a batch that was sent. If the batch ended the process, a new process is started and asked the later
// batches again.
func (d *driver) checkAll(cases, next []made) {
	if len(cases) == 0 {
		return
	}
	answers, err := d.session.Receive()
	if err != nil {
		answers = d.oneByOne(cases)
		if next != nil {
			d.session.Send(asks(next))
		}
	}
	for i, m := range cases {
		d.check(m, answers[i])
	}
}

// oneByOne asks again, in a new process after each case that ends one: such a case is answered by the error crash.
func (d *driver) oneByOne(cases []made) []oracle.Answer {
	d.restart()
	answers := make([]oracle.Answer, len(cases))
	for i, m := range cases {
		answers[i] = d.ask(m)
	}
	return answers
}

// crash is the class of the error for a question that ended the process.
const crash = "crash"

// ask asks one question.
func (d *driver) ask(m made) oracle.Answer {
	d.session.Send([]json.RawMessage{m.ask})
	answer, err := d.session.Receive()
	if err != nil {
		d.restart()
		return oracle.Answer{Error: crash, Message: err.Error()}
	}
	return answer[0]
}

func (d *driver) restart() {
	d.session.Close()
	d.session = oracle.NewSession(d.t, d.script)
}

// make makes a case. A panic of a generator is an error.
func (d *driver) make(g *G) (m made, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the generator panics: %v\n%s", p, debug.Stack())
		}
	}()
	c := d.area.Case(g, d.env)
	ask, err := json.Marshal(c.Ask)
	return made{record: g.record, c: c, ask: ask}, err
}

// compare compares a case. A panic of this module is a difference.
func (d *driver) compare(m made, a oracle.Answer) (r *Report) {
	r = &Report{area: d.area.Name, env: d.env, c: m.c}
	defer func() {
		if p := recover(); p != nil {
			r.Equal("panic", fmt.Sprintf("%v\n%s", p, debug.Stack()), "none")
		}
	}()
	defer func() {
		for _, path := range m.c.Files {
			_ = os.RemoveAll(path)
		}
	}()
	m.c.Check(r, a)
	return r
}

// check compares a case and counts.
func (d *driver) check(m made, a oracle.Answer) {
	r := d.compare(m, a)
	d.counts.Comparisons += r.comparisons
	for _, x := range r.found {
		k := known(d.known, &x)
		switch {
		case k == nil:
			d.counts.Differences++
			d.failed = append(d.failed, failure{m.number, m.record, x})
		case k.Doc != "":
			d.counts.Meant++
		default:
			d.counts.Pending++
		}
		if k != nil {
			if d.used == nil {
				d.used = map[string]int{}
			}
			d.used[k.Name]++
		}
	}
}

// most is the number of cases that are reported.
const most = 6

// finish reports the first cases of each comparison, each case once.
func (d *driver) finish() {
	seen, cases := map[string]int{}, map[int64]bool{}
	for _, f := range d.failed {
		seen[f.What]++
		if seen[f.What] > 2 || cases[f.number] || len(cases) == most {
			continue
		}
		cases[f.number] = true
		small, text := d.smaller(f)
		got, want := apart(small.Got, small.Want)
		d.t.Errorf("%s: %s: NumPy %s\n\tours %s\n\t%s\n\tNPY_CASE=%d go test -run '%s' ./internal/property", d.area.Name, f.What, want, got, cut(text), f.number, d.t.Name())
	}
	if len(d.failed) > 0 {
		d.t.Errorf("%s: %d differences of %d comparisons: %v", d.area.Name, len(d.failed), d.counts.Comparisons, seen)
	}
	d.t.Logf("NumPy %s: %d cases, %d comparisons, %d differences; %d meant, %d to be mended %v", d.env.NumPy, d.counts.Cases, d.counts.Comparisons, d.counts.Differences, d.counts.Meant, d.counts.Pending, d.used)
	d.record()
}

// record appends the counts to the file that NPY_LIVE names.
func (d *driver) record() {
	path := os.Getenv("NPY_LIVE")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if err := json.NewEncoder(f).Encode(d.counts); err != nil {
		d.t.Fatal(err)
	}
}

// apart returns the first lines in which two texts differ, quoted if that shows more.
func apart(got, want string) (string, string) {
	line := 1
	for {
		a, restA, moreA := strings.Cut(got, "\n")
		b, restB, moreB := strings.Cut(want, "\n")
		if a != b || !moreA || !moreB {
			break
		}
		got, want, line = restA, restB, line+1
	}
	if line == 1 && !strings.Contains(got+want, "\n") {
		return cut(got), cut(want)
	}
	return fmt.Sprintf("line %d: %q", line, cut(got)), fmt.Sprintf("line %d: %q", line, cut(want))
}

// cut shortens a text for a report.
func cut(text string) string {
	const most = 600
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
