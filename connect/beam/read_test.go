package npyio

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/connect/beam/local"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
)

func TestMain(m *testing.M) {
	if args, ok := local.WorkerArgs(os.Args[1:]); ok {
		os.Args = append(os.Args[:1], args...)
		if err := tellProcess(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	flag.Parse()
	beam.Init()
	if ran, err := work(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	} else if !ran {
		os.Exit(m.Run())
	}
}

func init() {
	register.Function2x0(collectNamed)
}

// collected holds the blocks that pipelines emitted, by the name of a test. Workers on embedded Prism share this memory.
var collected struct {
	sync.Mutex
	blocks map[string][]Block
}

// collectNamed collects a block for a test.
func collectNamed(b Block, test string) {
	collected.Lock()
	defer collected.Unlock()
	if collected.blocks == nil {
		collected.blocks = map[string][]Block{}
	}
	collected.blocks[test] = append(collected.blocks[test], b)
}

// run runs a pipeline on embedded Prism.
func run(t *testing.T, build func(s beam.Scope)) beam.PipelineResult {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	build(s)
	result, err := local.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// elements returns the elements of blocks in the order of their rows, each of which must come once.
func elements(t *testing.T, blocks []Block) []byte {
	t.Helper()
	slices.SortFunc(blocks, func(a, b Block) int { return a.Row - b.Row })
	var data []byte
	next := 0
	for _, b := range blocks {
		if b.Row != next {
			t.Fatalf("a block begins with row %d, want %d", b.Row, next)
		}
		a, err := b.Array()
		if err != nil {
			t.Fatal(err)
		}
		next += a.Shape()[0]
		data = append(data, b.Data...)
	}
	return data
}

// saveSkewed writes files of very different lengths, of rows of 3 float64, and returns a pattern for them and their elements.
func saveSkewed(t *testing.T, rows ...int) (pattern string, all []byte) {
	t.Helper()
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	for i, n := range rows {
		data := make([]float64, n*3)
		for j := range data {
			data[j] = random.NormFloat64()
		}
		name := filepath.Join(dir, fmt.Sprintf("part-%d.npy", i))
		if err := npy.Save(name, data, n, 3); err != nil {
			t.Fatal(err)
		}
		a, err := npy.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a.Bytes()...)
	}
	return filepath.Join(dir, "*.npy"), all
}

var errKilled = errors.New("the worker was killed")

// attempt runs a DoFn over a restriction as a worker does, while a runner splits it at random and sometimes kills it. It
// returns the blocks and what is left to do, which is everything after a kill.
func attempt(t *testing.T, fn *readFn, rest offsetrange.Restriction, random *rand.Rand) (blocks []Block, left []offsetrange.Restriction, splits int) {
	t.Helper()
	rt := fn.CreateTracker(rest)
	dies := random.IntN(4) == 0
	err := func() (err error) {
		defer func() {
			if recover() != nil {
				err = errKilled
			}
		}()
		return fn.ProcessElement(t.Context(), rt, span{}, func(b Block) {
			blocks = append(blocks, b)
			if dies && random.IntN(4) == 0 {
				panic(errKilled)
			}
			fraction := 0.0 // a checkpoint
			switch random.IntN(4) {
			case 0:
			case 1:
				fraction = random.Float64()
			default:
				return
			}
			_, residual, err := rt.TrySplit(fraction)
			if err != nil {
				t.Error(err)
			}
			if residual != nil {
				left = append(left, residual.(offsetrange.Restriction))
				splits++
			}
		})
	}()
	if err == errKilled { // the runner takes back the splits of an attempt that failed
		return nil, []offsetrange.Restriction{rest}, 0
	}
	if err != nil || !rt.IsDone() {
		t.Fatalf("restriction %v: %v, done %v", rest, err, rt.IsDone())
	}
	return blocks, left, splits
}

// However often the work is split, checkpointed and killed, every block comes once.
func TestReadSplits(t *testing.T) {
	pattern, want := saveSkewed(t, 400_000, 0, 7, 90_000, 1)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	fn := &readFn{blockwise{Data: d, Grid: grid{d.Shape[0], d.rowsOf(blockBytes)}}}
	if err := fn.Setup(); err != nil {
		t.Fatal(err)
	}
	defer fn.Teardown()
	random := rand.New(rand.NewPCG(3, 4))
	splits, killed, rounds := 0, 0, 0
	for splits < 1000 || killed < 100 {
		rounds++
		var blocks []Block
		queue := fn.SplitRestriction(span{}, fn.CreateInitialRestriction(span{0, fn.Grid.blocks()}))
		for len(queue) > 0 {
			i := random.IntN(len(queue))
			rest := queue[i]
			queue = slices.Delete(queue, i, i+1)
			emitted, left, n := attempt(t, fn, rest, random)
			if len(emitted) == 0 {
				killed++
			}
			blocks, queue, splits = append(blocks, emitted...), append(queue, left...), splits+n
		}
		if got := elements(t, blocks); !bytes.Equal(got, want) {
			t.Fatalf("round %d: other elements than those of the files", rounds)
		}
	}
	t.Logf("%d rounds, %d splits, %d killed attempts", rounds, splits, killed)
}

// The blocks that a pipeline reads are NumPy's elements: of files, members of archives, manifests and Fortran order.
func TestReadBesideNumPy(t *testing.T) {
	dir := t.TempDir()
	answer := oracle.NumPy(t, `
import hashlib, os
os.chdir(sys.argv[1])
rng = np.random.default_rng(7)
t = np.dtype([('t', '<i8'), ('x', '>f4', (2,)), ('name', 'S5')])
def make(n):
    a = np.zeros(n, t)
    a['t'], a['x'], a['name'] = rng.integers(-9, 9, n), rng.normal(size=(n, 2)), rng.bytes(5)
    return a
a, b, c = make(200000), make(3), make(70000)
np.save('a.npy', a); np.savez_compressed('b.npz', one=b, other=np.arange(3)); np.save('part-0.npy', c)
m = rng.normal(size=(3000, 500)).astype('>f4')
np.save('fortran.npy', np.asfortranarray(m))
print(json.dumps([hashlib.sha256(b''.join(a.tobytes() for a in x)).hexdigest() for x in ([a, b, c], [m])]))
`, nil, dir)
	var sums []string
	if err := json.Unmarshal(answer, &sums); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	m, err := parts.Scan(t.Context(), 0, []string{"part-0.npy"}, parts.Dir(dir, npy.Decoder{}))
	if err == nil {
		err = m.WriteFile(at("c.npy.json"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, patterns := range [][]string{{at("a.npy"), at("b.npz:one"), at("c.npy.json")}, {at("fortran.npy")}} {
		d, err := Open(t.Context(), patterns...)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprint(t.Name(), i)
		run(t, func(s beam.Scope) {
			beam.ParDo0(s, collectNamed, Read(s, d), beam.SideInput{Input: beam.Create(s, name)})
		})
		if got := fmt.Sprintf("%x", sha256.Sum256(elements(t, collected.blocks[name]))); got != sums[i] {
			t.Errorf("%v: sha256 %s, NumPy has %s", patterns, got, sums[i])
		}
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	save := func(name string, shape ...int) {
		if err := npy.Save(at(name), make([]float32, 6), shape...); err != nil {
			t.Fatal(err)
		}
	}
	save("a.npy", 2, 3)
	save("b.npy", 3, 2)
	save("scalars.npy", 6)
	if err := os.WriteFile(at("text.npy"), []byte("no array"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		patterns []string
		want     string
	}{
		{"nothing", nil, "no files"},
		{"no file", []string{at("none-*.npy")}, "no files match"},
		{"other shapes", []string{at("a.npy"), at("b.npy")}, "b.npy"},
		{"other dimensions", []string{at("a.npy"), at("scalars.npy")}, "dimension"},
		{"no array", []string{at("text.npy")}, "text.npy"},
		{"a folder of files", []string{dir}, filepath.Join(dir, "*.npy")},
		{"no archive", []string{at("a.npz:x")}, "a.npz"},
	} {
		if _, err := Open(t.Context(), c.patterns...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// A file that changes after Open is an error, and not other elements.
func TestChangedFile(t *testing.T) {
	pattern, _ := saveSkewed(t, 10)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	if err := npy.Save(d.Parts[0].Path, slices.Repeat([]float64{math.Pi}, 30), 10, 3); err != nil {
		t.Fatal(err)
	}
	a, err := d.open()
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.ReadAll(context.Background()); !errors.Is(err, remote.ErrChanged) {
		t.Errorf("error %v, want one that wraps remote.ErrChanged", err)
	}
}
