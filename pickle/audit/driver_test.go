package audit

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/pickle"
)

// An outcome is the report of testdata/driver.py about a pickle.
type outcome struct {
	Names   []string // the names that Python looked up
	Events  []string // the actions besides making data
	Crash   int      // the signal that ended the process
	Timeout bool
	Loaded  int // the number of ways in which it was loaded without an error
}

// did reports whether Python did more than make data or look up names.
func (o *outcome) did() bool { return len(o.Events) > 0 || o.Crash != 0 }

// A tried is a pickle with the audit's report.
type tried struct {
	name   string
	data   []byte
	report *Report
}

func try(name string, data []byte) tried { return tried{name, data, One(bytes.NewReader(data))} }

// drive has Python load pickles in sandboxed processes and calls check for each.
func drive(t *testing.T, run func(t testing.TB, script string, stdin []byte, args ...string) []byte, all []tried, check func(c tried, o *outcome)) {
	t.Helper()
	script, err := os.ReadFile("testdata/driver.py")
	if err != nil {
		t.Fatal(err)
	}
	modules := []string{}
	for _, name := range dangerous {
		module, _ := split(name)
		if module != "canary" && !slices.Contains(modules, module) {
			modules = append(modules, module)
		}
	}
	in, err := json.Marshal(modules)
	if err != nil {
		t.Fatal(err)
	}
	in = append(in, '\n')
	for _, c := range all {
		in = append(binary.BigEndian.AppendUint64(in, uint64(len(c.data))), c.data...)
	}
	lines := bufio.NewScanner(bytes.NewReader(run(t, string(script), in)))
	lines.Buffer(nil, 1<<20)
	for _, c := range all {
		var o outcome
		if !lines.Scan() {
			t.Fatalf("the driver ends before %s: %v", c.name, lines.Err())
		}
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatalf("%s: %v: %s", c.name, err, lines.Bytes())
		}
		check(c, &o)
	}
}

// agree checks a verdict against Python's actions. If the audit finds no code, Python must have done nothing; if it
// finds imports only, Python must not have used the imported objects. And Python must have looked up only names that
// the audit lists, unless the audit cannot explain the pickle.
func agree(t *testing.T, c tried, o *outcome) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %v: %s: %s\n%q", c.name, c.report.Verdict, fmt.Sprintf(format, args...), brief(c.report.Imports), c.data)
	}
	if c.report.Verdict == ImportsOnly { // looking up a name may import more
		o.Events = slices.DeleteFunc(o.Events, func(e string) bool { return strings.HasPrefix(e, "import ") })
	}
	if c.report.Verdict <= ImportsOnly && o.did() {
		fail("Python does %q, signal %d", o.Events, o.Crash)
	}
	if c.report.Err != nil || o.did() { // running code may look up other names
		return
	}
	var listed []string
	for _, i := range c.report.Imports {
		listed = append(listed, i.Module+"."+i.Name)
	}
	for _, text := range o.Names {
		module, name, _ := strings.Cut(text, " ")
		g := pickle.FromPython2(pickle.Global{Module: module, Name: name})
		if !slices.Contains(listed, module+"."+name) && !slices.Contains(listed, g.Module+"."+g.Name) && !slices.Contains(listed, "?.?") {
			fail("Python looks up %s", text)
		}
	}
}

// The driver sees the effects of the attacks, so that its silence on other pickles is evidence.
func TestDriverSees(t *testing.T) {
	all := []tried{
		try("os.system", []byte("cos\nsystem\n(S'id'\ntR.")),
		try("eval", []byte("cbuiltins\neval\n(S'1'\ntR.")),
		try("open", []byte("cio\nopen\n(S'victim'\nS'w'\ntR.")),
		try("an import", []byte("cantigravity\nfly\n.")),
		try("the hash of an object", []byte("}ccanary\nobj\nNs.")),
		try("the attribute of an object", []byte("ccanary\nobj\n}b.")),
		try("a class that is called", []byte("ccanary\nClass\n)R.")),
		try("an attribute that is a library", []byte("\x80\x04\x8c\x06ctypes\x8c\x0ccdll./victim\x93.")),
		try("an attribute that is looked up", []byte("\x80\x04\x8c\x06canary\x8c\x0aobj.method\x93.")),
		try("a class that is made", []byte("ccanary\nPlain\n)\x81.")),
	}
	for _, a := range attacks {
		if a.shown {
			all = append(all, try(a.name, assemble(a.make())))
		}
	}
	drive(t, oracle.NumPy, all, func(c tried, o *outcome) {
		if !o.did() {
			t.Errorf("%s: the driver sees nothing (%d loaded): %q", c.name, o.Loaded, c.data)
		}
		if c.report.Verdict < Unknown && c.name != "an import" {
			t.Errorf("%s: the audit says %v", c.name, c.report.Verdict)
		}
	})
}

// formCases returns pickles of dangerous names in all forms: some with names of the module canary, some with other names.
func formCases(t testing.TB, r *rand.Rand, canaries, others int) []tried {
	var all, rest []tried
	for _, f := range allForms() {
		for i, name := range dangerous {
			module, short := split(name)
			for _, x := range []*node{byName(module, short), byStack(module, short)} {
				c := try(f.name+" of "+name, assemble(f.make(x)))
				if module == "canary" {
					all = append(all, c)
				} else if rest = append(rest, c); i%2 == 0 {
					continue
				}
				break
			}
		}
		for _, name := range dotted {
			module, short, ok := strings.Cut(name, "\x00")
			if !ok {
				module, short = split(name)
			}
			rest = append(rest, try(f.name+" of "+name, append([]byte("\x80\x04"), assemble(f.make(byStack(module, short)))...)))
		}
	}
	for _, name := range dangerous {
		module, short := split(name)
		rest = append(rest, try("INST of "+name, []byte("(S'victim'\ni"+module+"\n"+short+"\n.")))
	}
	some := func(cases []tried, n int) []tried {
		r.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		return cases[:min(len(cases), n)]
	}
	return append(some(all, oracle.Cases(t, canaries)), some(rest, oracle.Cases(t, others))...)
}

// A dangerous name never passes as data, in any form, and an import reported as such is nothing more.
func TestForms(t *testing.T) {
	all := formCases(t, rand.New(rand.NewPCG(7, 8)), 500, 300)
	for _, c := range all {
		if c.report.Verdict == NoCodeKnown {
			t.Errorf("%s: One(%q) = %v", c.name, c.data, c.report.Verdict)
		}
	}
	did, counts := 0, [4]int{}
	drive(t, oracle.NumPy, all, func(c tried, o *outcome) {
		agree(t, c, o)
		counts[c.report.Verdict]++
		if o.did() {
			did++
		}
	})
	t.Logf("%d pickles of %d names in %d forms: %d did something; verdicts %v", len(all), len(dangerous)+len(dotted), len(allForms()), did, counts)
	if did < 50 || counts[ImportsOnly] == 0 {
		t.Errorf("of %d pickles %d did something, %d only import: the test does not test", len(all), did, counts[ImportsOnly])
	}
}

// mutations returns data with random changes; the audit finds some of them harmless.
func mutations(r *rand.Rand, n int) (all []tried) {
	m := &mutator{Rand: r, names: slices.Clone(dangerous[:11])}
	for name := range knownTable() {
		m.names = append(m.names, strings.ReplaceAll(name, " ", "."))
	}
	slices.Sort(m.names)
	for len(all) < n {
		if r.IntN(2) == 0 {
			core = "numpy.core"
		} else {
			core = "numpy._core"
		}
		var items []*node
		for range 1 + r.IntN(3) {
			items = append(items, templates[r.IntN(len(templates))]())
		}
		tree := tup(items...)
		for range 1 + r.IntN(3) {
			tree = m.change(tree)
		}
		c := try("mutation", assemble(tree))
		if c.report.Verdict > ImportsOnly && r.IntN(10) > 0 {
			continue // there are too many of them
		}
		all = append(all, c)
	}
	core = "numpy.core"
	return all
}

// Pickles with random changes that the audit finds harmless are harmless.
func TestMutations(t *testing.T) {
	all := mutations(rand.New(rand.NewPCG(9, 10)), oracle.Cases(t, 600))
	loaded, counts := 0, [4]int{}
	drive(t, oracle.NumPy, all, func(c tried, o *outcome) {
		agree(t, c, o)
		counts[c.report.Verdict]++
		if c.report.Verdict == NoCodeKnown && o.Loaded > 0 {
			loaded++
		}
	})
	t.Logf("%d pickles, verdicts %v; of those without code %d were loaded", len(all), counts, loaded)
	if loaded < len(all)/10 {
		t.Errorf("only %d of %d pickles are data to the audit and were loaded: the test does not test", loaded, len(all))
	}
}

// TestForms and TestMutations hold in each version of CPython that has audit hooks, mostly without NumPy. There may be several
// interpreters, so each gets fewer pickles.
func TestFormsInPythons(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	all := append(formCases(t, r, 200, 100), mutations(r, oracle.Cases(t, 60))...)
	for _, python := range oracle.Pythons(t) {
		if string(oracle.Run(t, python, "import sys; print(hasattr(sys, 'addaudithook'), end='')", nil)) != "True" {
			continue
		}
		did := 0
		run := func(t testing.TB, script string, stdin []byte, args ...string) []byte {
			return oracle.Run(t, python, script, stdin, args...)
		}
		drive(t, run, all, func(c tried, o *outcome) {
			agree(t, c, o)
			if o.did() {
				did++
			}
		})
		t.Logf("%s: %d of %d pickles did something", python, did, len(all))
		if did < 20 {
			t.Errorf("%s: only %d of %d pickles did something: the test does not test", python, did, len(all))
		}
	}
}
