//go:build !race

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy/internal/oracle"
)

var (
	boundsOnly  = flag.String("bounds.only", "", "measure inputs and uses that begin so, `input,use`, and print what each takes")
	boundsShare = flag.Float64("bounds.share", 1, "the share of the pairs of an input and a use that are tried")
	boundsSize  = flag.Float64("bounds.size", 1./16, "the size of the inputs; 1 takes an hour, and runs all uses of shared values")
)

// The costs up to which a run is not compared with smaller inputs. A run in proportion costs less at 1/16 of the
// size.
const (
	littleCPU    = 100 * time.Millisecond
	littleMemory = 16 << 20
)

// The costs up to which a run on shared values is not compared with smaller inputs. Its work grows with the square of the
// length, up to the limits of 64 MiB.
const (
	sharedCPU    = 3 * time.Second
	sharedMemory = 1 << 30
)

// The most memory that a run may take: a fixed part, and a part for each byte of input.
const (
	mostMemory    = 400 << 20
	memoryPerByte = 64
	bombMemory    = 256 << 20 // the fixed part for small inputs that decode to many bytes
)

// The most processor time that a run may take for each byte, or element, that the input decodes to.
const cpuPerByte = 250 * time.Nanosecond

// A cost is the cost of a run of the command: processor time, bytes allocated, the peak of the process's memory beyond the memory before
// the run, and bytes of output.
type cost struct {
	cpu       time.Duration
	allocated int
	peak      int
	out       int
	code      int    // the exit code
	message   string // the first line on standard error
}

// inProportion reports whether c is at most 1.5 times the cost of the small input multiplied by times.
func (c cost) inProportion(small cost, times float64) bool {
	times *= 1.5
	return float64(c.cpu-littleCPU) <= times*float64(small.cpu) && float64(c.allocated-littleMemory) <= times*float64(small.allocated)
}

// cheap returns the smaller value of each measure, because other processes may disturb one of the runs.
func (c cost) cheap(d cost) cost {
	c.cpu, c.allocated, c.peak = min(c.cpu, d.cpu), min(c.allocated, d.allocated), min(c.peak, d.peak)
	return c
}

// A trial is a use of the command with an input of one size.
type trial struct {
	use
	in, same, other string
}

// measure runs the command in this process. No other test may run at the same time.
func (x trial) measure(t *testing.T, dir string) cost {
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o777); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(out)
	args := x.arguments(t, filepath.Join(out, "out"))
	var talk bytes.Buffer
	text := &drain{}
	var stdin io.Reader = strings.NewReader("")
	if slices.Contains(args, "-") {
		f, err := os.Open(x.in)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		stdin = f
	}
	a := newApp(stdin, text, &talk)
	before := memoryBefore()
	start := oracle.CPUTime()
	stop := x.endAtLimits(a, start)
	code := a.run(args)
	c := cost{code: code, cpu: oracle.CPUTime() - start, allocated: allocated() - before.allocated, peak: status("VmHWM") - before.resident, out: text.n}
	c.message, _, _ = strings.Cut(strings.ReplaceAll(talk.String(), dir, ""), "\n")
	if limit := stop(); limit != "" {
		c.message = limit
		t.Errorf("%s: npy %s %s", filepath.Base(x.in), x.args, limit)
	}
	filepath.Walk(out, func(_ string, info os.FileInfo, _ error) error {
		c.out += int(info.Size())
		return nil
	})
	os.RemoveAll(filepath.Join(filepath.Dir(x.in), "beside.npy.json"))
	return c
}

// The limits at which a run is ended.
const (
	runCPU    = 2 * time.Minute
	runMemory = 3 << 30
)

// endAtLimits cancels the run at its limits. If the command does not end then, the process does. The returned function returns the limit
// that was reached, or "".
func (x trial) endAtLimits(a *app, start time.Duration) (stop func() string) {
	ctx, cancel := context.WithCancelCause(a.ctx)
	a.ctx = ctx
	done, ended := make(chan struct{}), make(chan string)
	go func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		reached := ""
		for {
			select {
			case <-done:
				ended <- reached
				return
			case <-tick.C:
			}
			cpu, memory := oracle.CPUTime()-start, int64(status("VmRSS"))
			if cpu > runCPU+30*time.Second || memory > runMemory+1<<30 {
				panic(fmt.Sprintf("%s: npy %s does not end", x.in, x.args))
			}
			if reached == "" && (cpu > runCPU || memory > runMemory) {
				reached = fmt.Sprintf("takes more than %v or %d MiB", runCPU, runMemory>>20)
				cancel(errors.New(reached))
			}
		}
	}()
	return func() string {
		close(done)
		defer cancel(nil)
		return <-ended
	}
}

// arguments replaces names in the arguments by files.
func (x trial) arguments(t *testing.T, out string) []string {
	args := strings.Fields(x.args)
	for i, arg := range args {
		switch {
		case strings.HasPrefix(arg, "IN"):
			args[i] = x.in + arg[len("IN"):]
		case arg == "SAME":
			args[i] = x.same
		case arg == "OTHER":
			args[i] = x.other
		case strings.HasPrefix(arg, "BESIDE"):
			args[i] = filepath.Join(filepath.Dir(x.in), "beside"+arg[len("BESIDE"):])
		case arg == "COPY":
			args[i] = out + filepath.Ext(x.in)
			b, err := os.ReadFile(x.in)
			if err == nil {
				err = os.WriteFile(args[i], b, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		case strings.HasPrefix(arg, "OUT"):
			args[i] = out + arg[len("OUT"):]
		}
	}
	return args
}

// A memory is the memory of the process before a run.
type memory struct{ resident, allocated int }

// memoryBefore gives freed memory back to the system and resets the peak.
func memoryBefore() memory {
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // Linux: reset VmHWM
	return memory{status("VmRSS"), allocated()}
}

// status returns a number of bytes from the status of the process.
func status(key string) int {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	_, rest, _ := strings.Cut(string(text), key+":")
	var kilobytes int
	fmt.Sscan(rest, &kilobytes)
	return kilobytes << 10
}

func allocated() int {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.TotalAlloc)
}

// A drain counts the bytes written, up to the size at which every terminal or pipe is full.
type drain struct{ n int }

func (c *drain) Write(p []byte) (int, error) {
	if c.n += len(p); c.n > 64<<20 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestInProportion gives inputs of length n, 2n and 4n to all subcommands. A cost that is not small must grow at most in proportion to the
// length, or end at a limit, and small inputs that decode to many bytes may take little memory and a time in proportion to the bytes.
// A test tries a sample of the pairs of an input and a use of a subcommand, and make bounds all of them, and prints the costs.
func TestInProportion(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("many runs, which are the same on all machines")
	}
	pairs := choosePairs(oracle.Rand(t))
	var r boundsReport
	for _, g := range growings {
		if len(pairs[g.name]) == 0 {
			continue
		}
		t.Run(g.name, func(t *testing.T) { g.check(t, pairs[g.name], &r) }) // not in parallel: it measures the process
	}
	if os.Getenv("NPY_CASES") != "" {
		r.print(t)
	}
}

// The number of inputs that a test tries, and of uses of each.
const (
	sampleInputs = 24
	sampleBombs  = 3
	sampleUses   = 5
)

// isWhole reports whether all pairs are wanted, and not only the pairs that a flag names.
func isWhole() bool { return os.Getenv("NPY_CASES") != "" || *boundsOnly != "" }

// choosePairs returns the uses to try with each input.
func choosePairs(r *rand.Rand) map[string][]use {
	if isWhole() {
		return allPairs(r)
	}
	pairs := map[string][]use{}
	inputs, bombs := sampleInputs, sampleBombs
	for _, i := range r.Perm(len(growings)) {
		g, left, some := growings[i], &inputs, sampleUses
		if g.isBomb() {
			left, some = &bombs, 1
		}
		if *left == 0 {
			continue
		}
		*left--
		suitable := slices.DeleteFunc(uses(), func(u use) bool { return !g.suits(u) })
		for range some {
			pairs[g.name] = append(pairs[g.name], suitable[r.IntN(len(suitable))])
		}
	}
	return pairs
}

// allPairs returns all uses for each input, as far as -bounds.only and -bounds.share want them.
func allPairs(r *rand.Rand) map[string][]use {
	wantIn, wantUse, _ := strings.Cut(*boundsOnly, ",")
	pairs := map[string][]use{}
	for _, g := range growings {
		for _, u := range uses() {
			if strings.HasPrefix(g.name, wantIn) && strings.HasPrefix(u.args, wantUse) && g.suits(u) && r.Float64() < *boundsShare {
				pairs[g.name] = append(pairs[g.name], u)
			}
		}
	}
	return pairs
}

// check tries uses with the input.
func (g growing) check(t *testing.T, uses []use, r *boundsReport) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.npy"), []byte(small), 0o666); err != nil { // the part of manifests
		t.Fatal(err)
	}
	if g.isBomb() {
		n := g.n
		if !isWhole() {
			n /= 4
		}
		x := g.files(t, dir, n)
		for _, u := range uses {
			x.use = u
			x.checkBomb(t, g, dir, n, r)
		}
		return
	}
	n := max(1, int(float64(g.n)*min(1, *boundsSize*g.scale())))
	sizes := [3]trial{g.files(t, dir, n), g.files(t, dir, 2*n), g.files(t, dir, 4*n)}
	for _, u := range uses {
		checkProportion(t, g, dir, u, sizes, r)
	}
}

// checkBomb tries a use with an input that decodes to many bytes.
func (x trial) checkBomb(t *testing.T, g growing, dir string, n int, r *boundsReport) {
	c := x.measure(t, dir)
	r.add(g, x.use, fileSize(t, x.in), c)
	if *boundsOnly != "" {
		t.Logf("%s %s: %d bytes: %+v", g.name, x.args, fileSize(t, x.in), c)
	}
	if most := min(mostMemory, bombMemory+4*n); c.peak > most { // less than the whole, once
		t.Errorf("%s: npy %s takes %d MiB, more than %d", g.name, x.args, c.peak>>20, most>>20)
	}
	if most := time.Duration(n) * cpuPerByte; c.cpu > max(most, littleCPU*20) {
		t.Errorf("%s: npy %s takes %v of processor time", g.name, x.args, c.cpu)
	}
}

// suits reports whether a use must be tried with the input.
func (g growing) suits(u use) bool {
	if g.shares() && *boundsSize < 1 {
		return len(findSubcommand(u.subcommand).trials("checksums of objects")) > 0 // it reads objects
	}
	return true
}

// scale returns the factor between input lengths. Inputs with shared values must be long enough to reach the limits.
func (g growing) scale() float64 {
	if g.shares() {
		return 8
	}
	return 1
}

// files writes an input of a size, a copy of the input, and another copy with one bit changed.
func (g growing) files(t *testing.T, dir string, n int) trial {
	b := []byte(g.make(n))
	path := func(kind string) string { return filepath.Join(dir, fmt.Sprint(kind, n, "-", g.name)) }
	x := trial{in: path("in"), same: path("same"), other: path("other")}
	for _, name := range []string{x.in, x.same, x.other} {
		if name == x.other {
			b[len(b)*2/3] ^= 1
		}
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func checkProportion(t *testing.T, g growing, dir string, u use, sizes [3]trial, r *boundsReport) {
	for i := range sizes {
		sizes[i].use = u
	}
	size, shortest := fileSize(t, sizes[2].in), fileSize(t, sizes[0].in)
	times := max(4, float64(size)/float64(shortest)) // for some inputs the length grows with the square of n
	most := sizes[2].measure(t, dir)
	r.add(g, u, size, most)
	if *boundsOnly != "" {
		t.Logf("%s %s: %d bytes: %+v", filepath.Base(sizes[2].in), u.args, size, most)
	}
	if most.peak > mostMemory+memoryPerByte*size {
		t.Errorf("%s %s: %d MiB for %d bytes", filepath.Base(sizes[2].in), u.args, most.peak>>20, size)
	}
	room := 40 << 20
	if g.shares() || g.pads() {
		room = 64 << 20 // MaxShared, and the limit of padding
	}
	if strings.HasSuffix(u.args, ".tex") {
		room *= 3 // a bracket becomes {[}
	}
	if most.out > 100*size+room {
		t.Errorf("%s %s: %d bytes of output for %d bytes", filepath.Base(sizes[2].in), u.args, most.out, size)
	}
	cpu, memory := littleCPU, littleMemory
	if g.shares() {
		cpu, memory = sharedCPU, sharedMemory
	}
	if g.shares() || g.pads() {
		times *= times
	}
	half, least := most, most
	for try := range 5 {
		if most.cpu < cpu && most.allocated < memory || try > 0 && most.inProportion(least, times) {
			return
		}
		most, half, least = most.cheap(sizes[2].measure(t, dir)), half.cheap(sizes[1].measure(t, dir)), least.cheap(sizes[0].measure(t, dir))
	}
	t.Errorf("%s %s: n, 2n and 4n take\n  %+v\n  %+v\n  %+v", filepath.Base(sizes[2].in), u.args, least, half, most)
}

func fileSize(t *testing.T, path string) int {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Size())
}
