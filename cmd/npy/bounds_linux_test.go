//go:build !race

package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	boundsOnly = flag.String("bounds.only", "", "measure inputs and consumers whose names begin so, `input,consumer`, and print what each takes")
	boundsSize = flag.Float64("bounds.size", 1./16, "the size of the inputs; 1 takes an hour, and runs all consumers of what is shared")
)

// A consumer is a use of the command on the file IN.
type consumer struct {
	name string
	args string
	ext  string // of the files it takes, "" for all
}

var consumers = []consumer{
	{"info", "info IN", ".npy .npz .h5 .mat .nc"},
	{"info-json", "info --json IN", ".npy .npz"},
	{"struct", "struct IN", ".npy .npz"},
	{"struct-c", "struct --lang c IN", ".npy"},
	{"struct-python", "struct --lang python IN", ".npy"},
	{"show", "show IN", ""},
	{"show-full", "show --full IN", ".npy .npz .pkl"},
	{"show-json", "show --json IN", ".npy .npz .pkl"},
	{"stats", "stats IN", ".npy .npz .pkl .csv"},
	{"stats-json", "stats --json --histogram=10 --quantiles 0.5 IN", ".npy .npz .csv"},
	{"stats-axis", "stats --axis 0 IN", ".npy .npz"},
	{"stats-unique", "stats --unique IN", ".npy .npz"},
	{"diff", "diff IN SAME", ".npy .npz .pkl .h5 .csv .mat"},
	{"diff-other", "diff IN OTHER", ".npy .pkl"},
	{"verify", "verify IN", ".npy .npz .h5 .mat .nc"},
	{"pickle", "pickle IN", ".npy .npz .pkl"},
	{"pickle-all", "pickle --dis IN", ".npy .npz .pkl"},
	{"npy", "convert IN OUT.npy", ""},
	{"npz", "convert IN OUT.npz", ""},
	{"h5", "convert IN OUT.h5", ".npz .h5 .mat .nc"},
	{"csv", "convert IN OUT.csv", ""},
	{"txt", "convert IN OUT.txt", ".npy .csv"},
	{"json", "convert IN OUT.json", ""},
	{"ndjson", "convert IN OUT.ndjson", ""},
	{"md", "convert IN OUT.md", ".npy .csv"},
	{"tex", "convert IN OUT.tex", ".npy .csv"},
	{"png", "convert IN OUT.png", ".npy"},
	{"raw", "convert IN OUT.raw", ".npy"},
	{"slice", "convert IN[0] OUT.npy", ".npy"},
	{"F", "convert --order F IN OUT.npy", ".npy"},
	{"mat", "convert IN OUT.mat", ".npz .h5 .mat"},
	{"nc", "convert IN OUT.nc", ".npz .nc"},
	{"ls", "ls IN", ".npz .h5 .mat .nc"},
	{"pack", "pack OUT.npz IN", ""},
	{"unpack", "unpack -q -C OUT IN", ".npz .h5 .mat .nc"},
	{"rezip", "rezip IN OUT.npz", ".npz"},
	{"pickle-json", "pickle --json IN", ".npy .npz .pkl"},
	{"image", "show --image IN", ".npy .npz"},
	{"ls-json", "ls --json IN", ".npz .h5 .mat .nc"},
	{"verify-json", "verify --json IN", ".npy .npz"},
	{"rm", "rm COPY *1*", ".npz"},
	{"star", "info IN:*1*", ".npz .h5 .mat .nc"},
	{"last", "show IN:a1.npy", ".npz .h5"},
	{"plot-png", "plot -o OUT.png IN", ".npy .npz .csv"},
	{"append", "append COPY IN", ".npy"},
	{"concat", "concat OUT.npy IN IN", ".npy"},
	{"cast", "cast U5 IN OUT.npy", ".npy"},
	{"transpose", "transpose IN OUT.npy", ".npy"},
	{"reshape", "reshape -1,1 IN OUT.npy", ".npy"},
	{"fields", "fields --drop f1,a IN OUT.npy", ".npy"},
	{"sort", "sort IN OUT.npy", ".npy"},
	{"sample", "sample -n 5 IN", ".npy"},
	{"unique", "unique IN", ".npy"},
	{"group", "group --by 0 IN", ".npy"},
	{"split", "split --rows 1 IN OUT.npz", ".npy"},
	{"repair", "repair IN OUT.npy", ".npy"},
}

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

// A cost is the cost of a run of the command: processor time, bytes allocated and bytes of output.
type cost struct {
	cpu       time.Duration
	allocated int
	out       int
	message   string // the first line on standard error
}

// inProportion reports whether c is at most 1.5 times the cost of the small input multiplied by times.
func (c cost) inProportion(small cost, times float64) bool {
	times *= 1.5
	return float64(c.cpu-littleCPU) <= times*float64(small.cpu) && float64(c.allocated-littleMemory) <= times*float64(small.allocated)
}

// cheap returns the smaller value of each measure, because other processes may disturb one of the runs.
func (c cost) cheap(d cost) cost {
	c.cpu, c.allocated = min(c.cpu, d.cpu), min(c.allocated, d.allocated)
	return c
}

// A trial is a consumer with an input of one size.
type trial struct {
	consumer
	in, same, other string
}

// measure runs the command in this process. No other test may run at the same time.
func (x trial) measure(t *testing.T, dir string) cost {
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o777); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(out)
	endless := time.AfterFunc(time.Minute, func() { panic(fmt.Sprintf("%s of %s takes more than a minute", x.name, x.in)) })
	defer endless.Stop()
	args := x.arguments(t, filepath.Join(out, "out"))
	var talk bytes.Buffer
	text := &drain{}
	before, start := allocated(), cpuTime()
	run(args, nil, text, &talk)
	c := cost{cpu: cpuTime() - start, allocated: allocated() - before, out: text.n}
	c.message, _, _ = strings.Cut(strings.ReplaceAll(talk.String(), dir, ""), "\n")
	filepath.Walk(out, func(_ string, info os.FileInfo, _ error) error {
		c.out += int(info.Size())
		return nil
	})
	return c
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

func allocated() int {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.TotalAlloc)
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano()) // without the kernel's time, which other processes affect
}

// A drain counts the bytes written, up to the size at which every terminal or pipe is full.
type drain struct{ n int }

func (c *drain) Write(p []byte) (int, error) {
	if c.n += len(p); c.n > 64<<20 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestInProportion gives inputs of length n, 2n and 4n to all subcommands that accept them. A cost that is not small
// must grow at most in proportion to the length, or end at a limit. A run tries a third of the pairs of an input and
// a subcommand, and make bounds all of them.
func TestInProportion(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("many runs, which are the same on all machines")
	}
	wantIn, wantConsumer, _ := strings.Cut(*boundsOnly, ",")
	every, turn := 3, rand.IntN(3) // a third of the pairs, other ones each time
	if os.Getenv("NPY_CASES") != "" || *boundsOnly != "" {
		every = 1
	}
	for i, g := range growings {
		if !strings.HasPrefix(g.name, wantIn) {
			continue
		}
		t.Run(g.name, func(t *testing.T) { // not in parallel: it measures the process
			dir := t.TempDir()
			n := max(1, int(float64(g.n)*min(1, *boundsSize*g.scale())))
			sizes := [3]trial{g.files(t, dir, n), g.files(t, dir, 2*n), g.files(t, dir, 4*n)}
			for j, c := range consumers {
				if (i+j+turn)%every == 0 && strings.HasPrefix(c.name, wantConsumer) && g.suits(c) {
					checkProportion(t, g, dir, c, sizes)
				}
			}
		})
	}
}

// suits reports whether a consumer must be tried with the input.
func (g growing) suits(c consumer) bool {
	if g.shares() && *boundsSize < 1 && !slices.Contains([]string{"show", "npy", "json", "diff", "verify", "pickle"}, c.name) {
		return false
	}
	return c.ext == "" || strings.Contains(c.ext, filepath.Ext(g.name))
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

func checkProportion(t *testing.T, g growing, dir string, c consumer, sizes [3]trial) {
	for i := range sizes {
		sizes[i].consumer = c
	}
	size, shortest := fileSize(t, sizes[2].in), fileSize(t, sizes[0].in)
	times := max(4, float64(size)/float64(shortest)) // for some inputs the length grows with the square of n
	most := sizes[2].measure(t, dir)
	if *boundsOnly != "" {
		t.Logf("%s %s: %d bytes: %+v", filepath.Base(sizes[2].in), c.name, size, most)
	}
	room := 32 << 20
	if g.shares() {
		room = 64 << 20 // MaxShared
	}
	if most.out > 100*size+room {
		t.Errorf("%s %s: %d bytes of output for %d bytes", filepath.Base(sizes[2].in), c.name, most.out, size)
	}
	cpu, memory := littleCPU, littleMemory
	if g.shares() {
		cpu, memory = sharedCPU, sharedMemory
		times *= times
	}
	half, least := most, most
	for try := range 5 {
		if most.cpu < cpu && most.allocated < memory || try > 0 && most.inProportion(least, times) {
			return
		}
		most, half, least = most.cheap(sizes[2].measure(t, dir)), half.cheap(sizes[1].measure(t, dir)), least.cheap(sizes[0].measure(t, dir))
	}
	t.Errorf("%s %s: n, 2n and 4n take\n  %+v\n  %+v\n  %+v", filepath.Base(sizes[2].in), c.name, least, half, most)
}

func fileSize(t *testing.T, path string) int {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Size())
}
