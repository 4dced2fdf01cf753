package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/source"
)

// takeSources returns a as each kind of Source.
func takeSources(t *testing.T, a *npy.Array) map[string]npy.Source {
	t.Helper()
	sources := map[string]npy.Source{"array": a}
	var fortran, c bytes.Buffer
	for buf, x := range map[*bytes.Buffer]*npy.Array{&c: a.Clone(), &fortran: a.Fortran()} {
		if err := npy.Write(buf, x); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{"C": c.Bytes(), "Fortran": fortran.Bytes()} {
		f, err := npy.OpenReaderAt(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		sources["file, "+name] = f
		reversed, err := f.Select(npy.All().By(-1))
		if err != nil {
			t.Fatal(err)
		}
		if sources["part, "+name], err = reversed.Select(npy.All().By(-1)); err != nil {
			t.Fatal(err)
		}
	}
	sources["whole"] = source.Whole(a.DType(), a.Shape(), func(context.Context) (*npy.Array, error) { return a, nil })
	r := bytes.NewReader(c.Bytes())
	h, err := format.ReadHeader(r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := npy.NewStream(h, r)
	if err != nil {
		t.Fatal(err)
	}
	sources["stream"] = s
	return sources
}

// Take gives the rows that one index after another gives, from every Source.
func TestTake(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, descr := range []string{"<f8", ">f8", "<i2", "|b1", "<U3", "[('a', '<i4'), ('b', '>f8')]"} {
		for _, shape := range [][]int{{40}, {40, 3}, {2, 5, 4}, {40, 0}, {1}, {3000, 7}} {
			d, err := dtype.Parse(descr)
			if err != nil {
				t.Fatal(err)
			}
			a := arrayOfNoise(t, rng, d, shape)
			for name, src := range takeSources(t, a) {
				rows := make([]int, rng.IntN(60))
				for i := range rows {
					rows[i] = rng.IntN(2*shape[0]) - shape[0]
				}
				if rng.IntN(3) == 0 {
					slices.Sort(rows)
				}
				got, err := npy.Take(context.Background(), src, rows)
				if err != nil {
					t.Fatalf("%s, shape %v, %s: %v", descr, shape, name, err)
				}
				if want := rowsOneByOne(t, a, rows); !bytes.Equal(got.Bytes(), want) {
					t.Errorf("%s, shape %v, %s: rows %v differ", descr, shape, name, rows)
				}
				if got.Len() != len(rows) || !slices.Equal(got.Shape()[1:], shape[1:]) || !got.DType().Equal(d) {
					t.Errorf("%s, shape %v, %s: dtype %s and shape %v for %d rows", descr, shape, name, got.DType(), got.Shape(), len(rows))
				}
			}
		}
	}
}

func arrayOfNoise(t *testing.T, rng *rand.Rand, d dtype.Type, shape []int) *npy.Array {
	t.Helper()
	n := d.ItemSize()
	for _, k := range shape {
		n *= k
	}
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	if d.Kind() == dtype.KindStr {
		for i := range data {
			data[i] = []byte{'x', 0, 0, 0}[i%4]
		}
	}
	a, err := npy.FromBytes(d, data, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func rowsOneByOne(t *testing.T, a *npy.Array, rows []int) []byte {
	t.Helper()
	var want []byte
	for _, row := range rows {
		one, err := a.Slice(npy.At(row))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, one.Bytes()...)
	}
	return want
}

// TakeInto and ReadInto give the values of As, from every Source and in the memory of the caller.
func TestTakeInto(t *testing.T) {
	ctx := context.Background()
	for _, descr := range []string{"<f4", ">f4", "<i2", ">f2"} { // float32 holds all of them
		d, err := dtype.Parse(descr)
		if err != nil {
			t.Fatal(err)
		}
		a, err := npy.FromSlice([]int8{1, 2, 3, 4, 5, 6, 7, 8}, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		if a, err = a.AsType(d); err != nil {
			t.Fatal(err)
		}
		for name, src := range takeSources(t, a) {
			dst := make([]float32, 1, 9)
			got, err := npy.TakeInto(ctx, dst, src, []int{3, 0, -1})
			if err != nil || !slices.Equal(got, []float32{7, 8, 1, 2, 7, 8}) {
				t.Errorf("%s, %s: TakeInto gave %v, error %v", descr, name, got, err)
			}
			if err == nil && &got[0] != &dst[0] {
				t.Errorf("%s, %s: TakeInto did not use the memory of dst", descr, name)
			}
		}
		for name, src := range takeSources(t, a) {
			dst := make([]float32, 0, 8)
			got, err := npy.ReadInto(ctx, dst, src)
			if err != nil || !slices.Equal(got, []float32{1, 2, 3, 4, 5, 6, 7, 8}) {
				t.Errorf("%s, %s: ReadInto gave %v, error %v", descr, name, got, err)
			}
			if err == nil && &got[0] != &dst[:1][0] {
				t.Errorf("%s, %s: ReadInto did not use the memory of dst", descr, name)
			}
		}
	}
}

func TestTakeObjects(t *testing.T) {
	a, err := npy.NewObjects(dtype.Object, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range []string{"a", "b", "c", "d"} {
		a.SetObject(s, i/2, i%2)
	}
	got, err := npy.Take(context.Background(), a, []int{1, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if x, y := got.Object(1, 1), got.Object(2, 0); x != "d" || y != "a" {
		t.Errorf("got %v and %v, want d and a", x, y)
	}
	texts, err := npy.TakeInto[string](context.Background(), nil, a, []int{-1})
	if err != nil || !slices.Equal(texts, []string{"c", "d"}) {
		t.Errorf("got %v, error %v", texts, err)
	}
}

// A blockSource can only be read in blocks, as its elements are too many to be in memory twice.
type blockSource struct{ npy.Source }

func (s blockSource) Select(index ...npy.Index) (npy.Source, error) {
	part, err := s.Source.Select(index...)
	return blockSource{part}, err
}

func (blockSource) ReadAll(context.Context) (*npy.Array, error) {
	return nil, errors.New("all elements at once")
}

// Long rows are read in blocks to their place.
func TestTakeLongRows(t *testing.T) {
	const n = 36 << 20
	data := make([]byte, 2*n)
	for i := range data {
		data[i] = byte(i / 1000)
	}
	a, err := npy.FromBytes(dtype.Uint8, data, 2, n)
	if err != nil {
		t.Fatal(err)
	}
	got, err := npy.Take(context.Background(), blockSource{a}, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), data[n:]) {
		t.Error("the rows have other elements")
	}
}

func TestTakeErrors(t *testing.T) {
	ctx := context.Background()
	a, err := npy.FromSlice([]float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	var outside *npy.IndexError
	for _, row := range []int{3, -4} {
		if _, err := npy.Take(ctx, a, []int{0, row}); !errors.As(err, &outside) || outside.Index != row || outside.Size != 3 {
			t.Errorf("row %d: error %v", row, err)
		}
	}
	point, err := npy.FromSlice([]float64{1}, []int{}...)
	if err != nil {
		t.Fatal(err)
	}
	zero, err := point.Reshape([]int{}...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := npy.Take(ctx, zero, nil); err == nil {
		t.Error("an array without dimensions gave rows")
	}
	if _, err := npy.TakeInto[int8](ctx, nil, a, []int{0}); !errors.As(err, new(*npy.TypeError)) {
		t.Errorf("float64 as int8: error %v", err)
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.WriteFile(path, a); err != nil {
		t.Fatal(err)
	}
	f, err := npy.Decoder{MaxBytes: 16}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := npy.Take(ctx, f, []int{0, 0, 0}); !errors.As(err, new(*npy.LimitError)) {
		t.Errorf("24 bytes under MaxBytes 16: error %v", err)
	}
	if _, err := (npy.Loader[float64]{MaxBytes: 16}).TakeInto(ctx, nil, f, []int{0, 0, 0}); !errors.As(err, new(*npy.LimitError)) {
		t.Errorf("24 bytes under MaxBytes 16 of a Loader: error %v", err)
	}
	if err := os.Truncate(path, 130); err != nil {
		t.Fatal(err)
	}
	var named *fs.PathError
	if _, err := npy.Take(ctx, f, []int{1}); !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &named) {
		t.Errorf("a file that was cut: error %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := npy.Take(cancelled, f, []int{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: error %v", err)
	}
	f.Close()
	if _, err := npy.Take(ctx, f, []int{1}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed file: error %v", err)
	}
}

// TestTakeNamesFileOnce takes rows of a file in Fortran order, which go through ReadAll of parts.
func TestTakeNamesFileOnce(t *testing.T) {
	ctx := context.Background()
	a, err := npy.FromSlice(make([]float64, 6), 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.WriteFile(path, a.T()); err != nil {
		t.Fatal(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, 130); err != nil {
		t.Fatal(err)
	}
	_, err = npy.Take(ctx, f, []int{1})
	if err == nil || strings.Count(err.Error(), path) != 1 {
		t.Errorf("a file that was cut: error %v", err)
	}
}

// TestReadIntoLimits reads 24 bytes under a limit of 16, of the file or of the Loader, as the dtype of the file and as
// another.
func TestReadIntoLimits(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.Save(path, []float32{1, 2, 3, 4, 5, 6}); err != nil {
		t.Fatal(err)
	}
	for _, limits := range []struct{ file, loader int64 }{{16, 0}, {0, 16}} {
		f, err := npy.Decoder{MaxBytes: limits.file}.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		part, err := f.Select()
		if err != nil {
			t.Fatal(err)
		}
		for name, src := range map[string]npy.Source{"file": f, "part": part} {
			same, wider := npy.Loader[float32]{MaxBytes: limits.loader}, npy.Loader[float64]{MaxBytes: limits.loader}
			_, err1 := same.ReadInto(ctx, nil, src)
			_, err2 := wider.ReadInto(ctx, nil, src)
			_, err3 := same.TakeInto(ctx, nil, src, []int{0, 1, 2, 3, 4, 5})
			_, err4 := wider.TakeInto(ctx, nil, src, []int{0, 1, 2, 3, 4, 5})
			for i, err := range []error{err1, err2, err3, err4} {
				if !errors.As(err, new(*npy.LimitError)) {
					t.Errorf("limits %+v, %s, call %d: error %v", limits, name, i, err)
				}
			}
		}
	}
}

type countedReads struct {
	io.ReaderAt
	reads, bytes atomic.Int64
}

func (c *countedReads) ReadAt(b []byte, at int64) (int, error) {
	c.reads.Add(1)
	c.bytes.Add(int64(len(b)))
	return c.ReaderAt.ReadAt(b, at)
}

// Rows that lie close together are read together, and a minibatch allocates a few times, not once for each row.
func TestTakeReads(t *testing.T) {
	const rows, width = 4096, 32 // of float64: 256 bytes each, 1 MiB in all
	data := make([]float64, rows*width)
	for i := range data {
		data[i] = float64(i)
	}
	a, err := npy.FromSlice(data, rows, width)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := npy.Write(&buf, a); err != nil {
		t.Fatal(err)
	}
	c := &countedReads{ReaderAt: bytes.NewReader(buf.Bytes())}
	open := func(gap int64) *npy.File {
		f, err := npy.Decoder{ReadOptions: npy.ReadOptions{Gap: gap}}.OpenReaderAt(c, int64(buf.Len()))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	every := make([]int, 0, rows/2)
	for i := 0; i < rows; i += 2 {
		every = append(every, i)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(every), func(i, j int) { every[i], every[j] = every[j], every[i] })
	for _, test := range []struct {
		gap  int64
		rows []int
		want int64
	}{
		{0, every, 1}, // gaps of 256 bytes are read through
		{-1, every, rows / 2},
		{-1, []int{7, 5, 6, 8, 6}, 1},
		{0, []int{0, 1000, 1001, 3000}, 3},
	} {
		f := open(test.gap)
		c.reads.Store(0)
		got, err := npy.TakeInto[float64](context.Background(), nil, f, test.rows)
		if err != nil {
			t.Fatal(err)
		}
		if c.reads.Load() != test.want {
			t.Errorf("gap %d, %d rows: %d reads, want %d", test.gap, len(test.rows), c.reads.Load(), test.want)
		}
		for i, row := range test.rows {
			if got[i*width] != float64(row*width) {
				t.Fatalf("row %d is that of %v", row, got[i*width]/width)
			}
		}
	}
	f := open(0)
	batch, dst := []int{5, 4000, 17, 17, 300, 2222, 1, 0}, make([]float64, 8*width)
	allocs := testing.AllocsPerRun(20, func() {
		if _, err := npy.TakeInto(context.Background(), dst, f, batch); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 40 {
		t.Errorf("%v allocations for a batch of 8 rows", allocs)
	}
}

func ExampleTakeInto() {
	a, err := npy.FromSlice([]float32{0, 1, 10, 11, 20, 21, 30, 31}, 4, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	var buf []float32
	for batch := range slices.Chunk([]int{2, 0, 3, 1}, 2) { // rand.Perm(4) in life
		if buf, err = npy.TakeInto(context.Background(), buf, a, batch); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(batch, buf)
	}
	// Output:
	// [2 0] [20 21 0 1]
	// [3 1] [30 31 10 11]
}

func ExampleTake() {
	a, err := npy.FromSlice([]string{"a", "b", "c"})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := npy.Take(context.Background(), a, []int{-1, 0, 0})
	fmt.Println(rows, err)
	// Output: ['c' 'a' 'a'] <nil>
}

func ExampleReadInto() {
	h := format.Header{DType: dtype.Float32.WithByteOrder(dtype.BigEndian), Shape: []int{2, 2}}
	f, err := npy.FileOf(h, bytes.NewReader([]byte{0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0, 0x40, 0x80, 0, 0}), 16)
	if err != nil {
		fmt.Println(err)
		return
	}
	column, err := f.Select(npy.All(), npy.At(1)) // f[:, 1]
	if err != nil {
		fmt.Println(err)
		return
	}
	buf := make([]float64, 100)
	values, err := npy.ReadInto(context.Background(), buf, column)
	fmt.Println(values, err)
	// Output: [2 4] <nil>
}

// ReadAll and Load read with the number of goroutines asked for, and ReadAll ends with its context.
func TestReadAllOptions(t *testing.T) {
	a, err := npy.FromSlice(make([]float32, 2<<20), 1<<10, 2<<10)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range []*npy.Array{a, a.Fortran()} {
		var buf bytes.Buffer
		if err := npy.Write(&buf, order); err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 8} {
			r := &overlapping{ReaderAt: bytes.NewReader(buf.Bytes()), want: workers, met: make(chan struct{})}
			d := npy.Decoder{ReadOptions: npy.ReadOptions{Workers: workers}}
			f, err := d.OpenReaderAt(r, int64(buf.Len()))
			if err != nil {
				t.Fatal(err)
			}
			r.wait.Store(true)
			if _, err := f.ReadAll(context.Background()); err != nil {
				t.Fatal(err)
			}
			if got := int(r.most.Load()); got != workers {
				t.Errorf("%d workers made %d reads at a time", workers, got)
			}
			ctx, cancel := context.WithCancel(context.Background())
			r.wait.Store(false)
			r.onRead = cancel
			if _, err := f.ReadAll(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled by the first read: error %v", err)
			}
		}
	}
}

// An overlapping reader holds its first reads until as many as wanted have begun, or some time has passed.
type overlapping struct {
	io.ReaderAt
	want      int
	wait      atomic.Bool
	now, most atomic.Int64
	met       chan struct{}
	onRead    func()
}

func (o *overlapping) ReadAt(b []byte, at int64) (int, error) {
	if o.onRead != nil {
		o.onRead()
	}
	if o.wait.Load() {
		now := o.now.Add(1)
		defer o.now.Add(-1)
		for most := o.most.Load(); now > most && !o.most.CompareAndSwap(most, now); most = o.most.Load() {
		}
		if now == int64(o.want) {
			select {
			case <-o.met:
			default:
				close(o.met)
			}
		}
		select {
		case <-o.met:
		case <-time.After(10 * time.Second):
		}
	}
	return o.ReaderAt.ReadAt(b, at)
}

// Random slices of arrays that are joined equal slices of the array in one piece.
func TestConcatSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		shape := []int{1 + r.IntN(12), 1 + r.IntN(9), 1 + r.IntN(4)}[:1+r.IntN(3)]
		size := 1
		for _, n := range shape {
			size *= n
		}
		data := make([]int32, size)
		for i := range data {
			data[i] = int32(i)
		}
		whole, err := npy.FromSlice(data, shape...)
		if err != nil {
			t.Fatal(err)
		}
		axis := r.IntN(len(shape))
		var parts []npy.Source
		for low := 0; low < shape[axis]; {
			high := min(low+r.IntN(4), shape[axis])
			parts = append(parts, sliceAxis(t, whole, axis, npy.Span(low, high)))
			low = high
		}
		joined := concat(t, r.IntN(2) == 0, axis-r.IntN(2)*len(shape), parts)
		var index []npy.Index
		for _, n := range shape {
			if r.IntN(4) == 0 {
				index = append(index, npy.At(r.IntN(n)))
				continue
			}
			step := 1 + r.IntN(4)
			if r.IntN(2) == 0 {
				step = -step
			}
			index = append(index, npy.Span(r.IntN(2*n)-n, r.IntN(2*n)-n).By(step))
		}
		want, err := whole.Slice(index...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := joined.Select(npy.Ellipsis())
		if err == nil {
			got, err = got.Select(index...)
		}
		if err != nil {
			t.Fatal(err)
		}
		a, err := got.ReadAll(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if a.String() != want.String() || string(a.Bytes()) != string(want.Bytes()) {
			t.Fatalf("shape %v, axis %d, index %v: %v, want %v", shape, axis, index, a, want)
		}
		for block, err := range joined.Blocks(context.Background(), int64(1+r.IntN(200))) {
			if err != nil {
				t.Fatal(err)
			}
			if n := len(block.Bytes()); string(block.Bytes()) != string(whole.Bytes()[:n]) {
				t.Fatalf("shape %v, axis %d: a block is %v", shape, axis, block)
			} else if whole, err = npy.FromBytes(whole.DType(), whole.Bytes()[n:], whole.Size()-n/4); err != nil {
				t.Fatal(err)
			}
		}
		if whole.Size() > 0 {
			t.Fatalf("shape %v, axis %d: the blocks lack %d elements", shape, axis, whole.Size())
		}
	}
}

// concat joins arrays, at once or as they are needed.
func concat(t *testing.T, made bool, axis int, parts []npy.Source) npy.Source {
	t.Helper()
	joined, err := npy.Concat(axis, parts...)
	if err == nil && made {
		shape := joined.Shape()
		at := (axis + len(shape)) % len(shape)
		ends, n := make([]int, len(parts)), 0
		for i, s := range parts {
			n += s.Shape()[at]
			ends[i] = n
		}
		joined, err = npy.ConcatFunc(joined.DType(), shape, axis, ends, func(i int) npy.Source { return parts[i] })
	}
	if err != nil {
		t.Fatal(err)
	}
	return joined
}

// Fields of records are selected of each array, with slices before and after them.
func TestConcatFields(t *testing.T) {
	row, err := dtype.Parse("[('a', '<i4'), ('b', '<f8', (3,))]")
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 12*row.ItemSize())
	for i := range data {
		data[i] = byte(i)
	}
	whole, err := npy.FromBytes(row, data, 6, 2)
	if err != nil {
		t.Fatal(err)
	}
	var parts []npy.Source
	for _, x := range [][2]int{{0, 1}, {1, 1}, {1, 4}, {4, 6}} {
		parts = append(parts, sliceAxis(t, whole, 0, npy.Span(x[0], x[1])))
	}
	for _, made := range []bool{false, true} {
		for _, text := range []string{"['a']", "['b']", "[['b', 'a']]", "[1:5]['a']", "[::-2, 1]['b'][..., 2]", "[3]['b']", "[-1, 0]['a']", "[2:2]['a']"} {
			index, err := npy.ParseIndex(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := whole.Slice(index...)
			if err != nil {
				t.Fatal(err)
			}
			src, err := concat(t, made, 0, parts).Select(index...)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := src.ReadAll(t.Context()); err != nil || got.String() != want.String() || !slices.Equal(src.Shape(), want.Shape()) {
				t.Errorf("made %v, %s: %v, error %v, want %v", made, text, got, err, want)
			}
		}
	}
}

// The results of the function of ConcatFunc are checked, and so are its other arguments.
func TestConcatFuncErrors(t *testing.T) {
	one, err := npy.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	ints, err := npy.FromSlice([]int32{1, 2, 3, 4}, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		shape []int
		axis  int
		ends  []int
		src   npy.Source
		want  string // of Select or ReadAll if it begins with "read: "
	}{
		{[]int{4, 2}, 0, []int{2, 4}, one, ""},
		{[]int{4, 2}, 2, []int{2, 4}, one, "axis 2 is out of bounds"},
		{[]int{4, 2}, 0, nil, one, "no arrays"},
		{[]int{4, 2}, 0, []int{2, 3}, one, "must ascend to the length of axis 0, 4"},
		{[]int{4, 2}, 0, []int{5, 4}, one, "must ascend"},
		{[]int{4, 2}, 0, []int{-1, 4}, one, "must ascend"},
		{[]int{-4, 2}, 0, []int{-4}, one, "must ascend"},
		{[]int{4, 2}, 0, []int{1, 4}, one, "read: array 1 of 2: shape [2 2], want 1 along axis 0"},
		{[]int{4, 3}, 0, []int{2, 4}, one, "read: array 1 of 2: shape"},
		{[]int{4}, 0, []int{2, 4}, one, "read: array 1 of 2: shape"},
		{[]int{4, 2}, 0, []int{2, 4}, ints, "read: array 1 of 2: dtype"},
	} {
		src, err := npy.ConcatFunc(dtype.Float64, tt.shape, tt.axis, tt.ends, func(int) npy.Source { return tt.src })
		want, read := strings.CutPrefix(tt.want, "read: ")
		if read && err == nil {
			_, err = src.ReadAll(t.Context())
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("shape %v, axis %d, ends %v: error %v, want %q", tt.shape, tt.axis, tt.ends, err, tt.want)
		}
	}
}

func sliceAxis(t *testing.T, a *npy.Array, axis int, x npy.Index) *npy.Array {
	t.Helper()
	index := make([]npy.Index, axis+1)
	index[axis] = x
	part, err := a.Slice(index...)
	if err != nil {
		t.Fatal(err)
	}
	return part
}

func TestConcatErrors(t *testing.T) {
	ints, err := npy.FromSlice([]int32{1, 2}, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	floats, err := npy.FromSlice([]float32{1, 2}, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := npy.FromObjects([]any{nil})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		axis  int
		parts []npy.Source
		want  string
	}{
		{0, nil, "no arrays"},
		{2, []npy.Source{ints}, "axis 2 is out of bounds"},
		{0, []npy.Source{ints, floats}, "array 2 of 2: dtype"},
		{1, []npy.Source{ints, ints.T()}, "array 2 of 2: shape"},
		{0, []npy.Source{objects}, "objects"},
	} {
		if _, err := npy.Concat(tt.axis, tt.parts...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("axis %d: error %v, want %q", tt.axis, err, tt.want)
		}
	}
}

// A transposed Source over the transposed array of a vector, whether that is a file or a Source of any other kind, reads
// as the vector does.
func TestTransposed(t *testing.T) {
	vectors, err := npytest.Vectors("testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	for name, wrap := range map[string]func(npy.Source) npy.Source{
		"a Source of its own": func(s npy.Source) npy.Source { return plainSource{s} },
		"a file or array":     func(s npy.Source) npy.Source { return s },
	} {
		t.Run(name, func(t *testing.T) {
			npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
				if v.DType.IsStruct() || v.DType.IsSubarray() {
					return nil
				}
				f, err := npy.Open(v.Path)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { f.Close() })
				if src, reversed := npy.StoredOrder(f); reversed {
					return npy.Transposed(wrap(src))
				}
				a, err := f.ReadAll(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				return npy.Transposed(wrap(a.T()))
			})
		})
	}
}

// A plainSource has no optional methods.
type plainSource struct{ npy.Source }

func ExampleTransposed() {
	a, err := npy.FromSlice([]int{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	var src npy.Source = a // an array of any size
	part, err := npy.Transposed(src).Select(npy.At(2))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(part.ReadAll(context.Background()))
	// Output:
	// [3 6] <nil>
}
