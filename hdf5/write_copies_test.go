package hdf5_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
)

// sparseArray returns an array of a megabyte or two most of whose elements are zero, and chunks for it.
func sparseArray(t *testing.T, rng *rand.Rand) (a *npy.Array, chunks []int) {
	t.Helper()
	dt := []dtype.Type{dtype.Float64, dtype.Int16, dtype.Uint8, must(dtype.Parse("i4,f8"))}[rng.IntN(4)]
	n := (5<<18 + rng.IntN(1<<19)) / dt.ItemSize()
	shape := [][]int{{n}, {n/100 + 1, 100}, {5, n/5 + 1}, {3, n/60 + 1, 20}}[rng.IntN(4)]
	a = must(npy.New(dt, shape...))
	data, _ := a.ViewBytes()
	for range rng.IntN(5) {
		at := rng.IntN(len(data))
		copy(data[at:], bytes.Repeat([]byte{1, 2, 3, 4}, 1+rng.IntN(1000)))
	}
	if rng.IntN(3) > 0 {
		chunks = slices.Clone(shape)
		for i := range chunks {
			if rng.IntN(2) == 0 {
				chunks[i] = 1 + rng.IntN(min(shape[i], 2000))
			}
		}
		for i := range chunks { // not too many of them
			chunks[i] = max(chunks[i], (shape[i]+99)/100)
		}
	}
	return a, chunks
}

// Arrays whose zeros are counted are written without the chunks that have nothing else, and are read back by npy and by h5py.
func TestWriteCopies(t *testing.T) {
	rng, n := oracle.Rand(t), oracle.Cases(t, 12)
	dir := t.TempDir()
	for i := range n {
		a, chunks := sparseArray(t, rng)
		path := filepath.Join(dir, fmt.Sprint(i))
		e := container.Entry{Path: "x", Chunks: chunks}
		err := hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}).Create(path+".h5", container.WriteOptions{}, func(w container.Writer) error {
			return container.Put(context.Background(), w, e, nil, npytest.Regioned(a, 1<<62))
		})
		if err := errors.Join(err, npy.WriteFile(path+".npy", a)); err != nil {
			t.Fatalf("case %d: shape %v, chunks %v: %v", i, a.Shape(), chunks, err)
		}
		r := must(hdf5.Open(path + ".h5"))
		src := must(r.Source("x"))
		if got := must(src.ReadAll(context.Background())); !bytes.Equal(got.Bytes(), a.Bytes()) || !slices.Equal(got.Shape(), a.Shape()) {
			t.Fatalf("case %d: shape %v, chunks %v: other elements", i, a.Shape(), chunks)
		}
		if regions := must(npy.RegionsOf(context.Background(), src)); regions != nil {
			for x := range regions.All {
				part := must(must(a.Select(x.Index()...)).ReadAll(context.Background())).Bytes()
				if zero := !bytes.ContainsFunc(part, func(r rune) bool { return r != 0 }); x.Value != nil && !zero {
					t.Fatalf("case %d: the region at %v is not zero", i, x.Origin)
				}
			}
		}
		r.Close()
	}
	oracle.Module(t, "h5py", `
import h5py, os
for i in range(int(sys.argv[2])):
    path = os.path.join(sys.argv[1], str(i))
    x = np.load(path + ".npy")
    with h5py.File(path + ".h5") as f:
        assert f["x"].shape == x.shape and f["x"][()].tobytes() == x.tobytes(), (i, x.shape, f["x"].chunks)
`, dir, fmt.Sprint(n))
}

// A dense array of zeros takes no chunks, either.
func TestWriteZeros(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	values := make([]float64, 1000*1000)
	values[999*1000] = 5
	a := must(npy.FromSlice(values, 1000, 1000))
	w := must(hdf5.Create(path))
	if err := errors.Join(w.Add("x", a), w.Close()); err != nil {
		t.Fatal(err)
	}
	r := must(hdf5.Open(path))
	defer r.Close()
	e := must(r.Entry("x"))
	if info := must(os.Stat(path)); info.Size() > 16<<10 || e.Stored == 0 {
		t.Errorf("the file has %d bytes, and chunks of %d", info.Size(), e.Stored)
	}
	if got := must(must(r.Source("x")).ReadAll(context.Background())); !bytes.Equal(got.Bytes(), a.Bytes()) {
		t.Error("other elements")
	}
}

// 2**50 elements are written, and read again, at once.
func TestWriteEndless(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("a machine of 32 bits cannot address the array")
	}
	path := filepath.Join(t.TempDir(), "a.h5")
	for _, shape := range [][]int{{math.MaxInt>>13 + 1}, {1 << 20, 1 << 30}, {math.MaxInt>>23 + 2, 1025}} {
		err := hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}).Create(path, container.WriteOptions{}, func(w container.Writer) error {
			return container.Put(context.Background(), w, container.Entry{Path: "x"}, nil, endless{shape, 0})
		})
		if err != nil {
			t.Fatal(err)
		}
		r := must(hdf5.Open(path))
		defer r.Close()
		src := must(r.Source("x"))
		if x := must(npy.RegionsOf(context.Background(), src)); x == nil || x.Constant != npy.HeaderOf(src).Size() || !slices.Equal(src.Shape(), shape) {
			t.Errorf("shape %v and regions %+v, want shape %v", src.Shape(), x, shape)
		}
	}
	err := hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}).Create(path, container.WriteOptions{}, func(w container.Writer) error {
		return container.Put(context.Background(), w, container.Entry{Path: "x"}, nil, endless{[]int{math.MaxInt>>13 + 1}, 5})
	})
	var over *npy.LimitError
	if !errors.As(err, &over) || over.Name != "MaxRatio" {
		t.Errorf("elements other than the fill value: error %v", err)
	}
}

// endless is an array of int64 of one value, which cannot be read.
type endless struct {
	shape []int
	value int64
}

func (e endless) DType() dtype.Type { return dtype.Int64 }
func (e endless) Shape() []int      { return slices.Clone(e.shape) }
func (e endless) Select(...npy.Index) (npy.Source, error) {
	return nil, errors.New("a part was selected")
}
func (e endless) ReadAll(context.Context) (*npy.Array, error) {
	return nil, errors.New("the array was read")
}
func (e endless) CheckBytes(n int64) error {
	if n > 1<<30 {
		return &npy.LimitError{Name: "MaxRatio"}
	}
	return nil
}
func (e endless) Blocks(context.Context, int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) { yield(nil, errors.New("the blocks were read")) }
}
func (e endless) Regions(context.Context) (*npy.Regions, error) {
	value := must(must(npy.FromSlice([]int64{e.value})).Reshape())
	r := &npy.Regions{Constant: 1, All: func(yield func(npy.Region) bool) {
		yield(npy.Region{Origin: make([]int, len(e.shape)), Shape: e.shape, Value: value})
	}}
	for _, n := range e.shape {
		r.Constant *= n
	}
	return r, nil
}

// Rows are appended to arrays that lack chunks, also the last chunk or all.
func TestAppendAfterHoles(t *testing.T) {
	for _, n := range []int{300_000, 1 << 17 * 2, 5} {
		for _, last := range []float64{0, 7} {
			path := filepath.Join(t.TempDir(), "a.h5")
			data := make([]float64, n)
			data[n-1] = last
			w := must(hdf5.Encoder{Unlimited: true}.Create(path))
			if err := errors.Join(w.Add("x", must(npy.FromSlice(data))), w.Close()); err != nil {
				t.Fatal(err)
			}
			for _, more := range [][]float64{{1, 2}, make([]float64, 140_000), {3}} {
				a := must(hdf5.OpenAppend(path, "x"))
				if err := errors.Join(a.Append(must(npy.FromSlice(more))), a.Close()); err != nil {
					t.Fatal(err)
				}
				data = append(data, more...)
			}
			r := must(hdf5.Open(path))
			got := must(npy.As[float64](must(must(r.Source("x")).ReadAll(context.Background())))).ToSlice()
			if !slices.Equal(got, data) {
				t.Errorf("%d elements, the last %v: %d elements after appending, want %d, or other ones", n, last, len(got), len(data))
			}
			r.Close()
		}
	}
}
