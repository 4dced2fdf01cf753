package parts_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/pickle"
)

// daskInfo is the file info that dask 2022.12 wrote for ones((5, 3), chunks=(2, 2)) along axis 0, with NumPy 1.24.
const daskInfo = "\x80\x04\x95\x5d\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x06chunks\x94K\x02K\x02K\x01\x87\x94K\x03\x85\x94\x86\x94" +
	"\x8c\x05dtype\x94\x8c\x05numpy\x94h\x05\x93\x94\x8c\x02f8\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01<\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94b" +
	"\x8c\x04axis\x94K\x00u."

func TestParseStackInfo(t *testing.T) {
	m := must(parts.ParseStackInfo([]byte(daskInfo)))
	want := parts.Manifest{DType: must(dtype.Parse("<f8")), Shape: []int{5, 3}, Parts: []parts.Part{
		{Path: "0.npy", Rows: 2}, {Path: "1.npy", Rows: 2}, {Path: "2.npy", Rows: 1},
	}}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("%+v, want %+v", m, want)
	}
	for _, descr := range []string{">i2", "|b1", "<U3", "<M8[25us]", "[('a', '<f8'), ('b', '|S3', (2,))]"} {
		m.DType, m.Axis, m.Shape = must(dtype.Parse(descr)), 1, []int{3, 5}
		again := must(parts.ParseStackInfo(must(m.AppendStackInfo(nil))))
		if !reflect.DeepEqual(again, m) {
			t.Errorf("%s: %+v, want %+v", descr, again, m)
		}
	}
	m.Parts[1].Path = "x.npy"
	if _, err := m.AppendStackInfo(nil); err == nil || !strings.Contains(err.Error(), `dask opens it as "1.npy"`) {
		t.Errorf("another name: %v", err)
	}
}

// info returns the pickle of a dict.
func info(t testing.TB, pairs ...any) []byte {
	d := &pickle.Dict{}
	for i := 0; i < len(pairs); i += 2 {
		if err := d.Set(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := (objects.Encoder{}).Encode(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tuple(items ...any) *pickle.Tuple { return &pickle.Tuple{Items: items} }

// The info of a stack is a pickle from a stranger: it is never run, and its values are checked.
func TestHostileStackInfo(t *testing.T) {
	f8 := objects.NewDType(dtype.Float64)
	deep := tuple()
	for range 50 {
		deep = tuple(deep, deep)
	}
	for name, data := range map[string][]byte{
		"empty":           {},
		"a call":          []byte("cos\nsystem\n(S'touch ran'\ntR."),
		"not a dict":      must(pickle.Encode(int64(5))),
		"no dtype":        info(t, "chunks", tuple(tuple(int64(2))), "axis", int64(0)),
		"dtype as text":   info(t, "chunks", tuple(tuple(int64(2))), "axis", int64(0), "dtype", "<f8"),
		"no axis":         info(t, "chunks", tuple(tuple(int64(2))), "dtype", f8),
		"axis":            info(t, "chunks", tuple(tuple(int64(2))), "dtype", f8, "axis", int64(1)),
		"least axis":      info(t, "chunks", tuple(tuple(int64(2))), "dtype", f8, "axis", int64(-1<<63)),
		"no chunks":       info(t, "chunks", tuple(), "dtype", f8, "axis", int64(0)),
		"no parts":        info(t, "chunks", tuple(tuple()), "dtype", f8, "axis", int64(0)),
		"negative":        info(t, "chunks", tuple(tuple(int64(-1))), "dtype", f8, "axis", int64(0)),
		"float":           info(t, "chunks", tuple(tuple(2.0)), "dtype", f8, "axis", int64(0)),
		"overflow":        info(t, "chunks", tuple(tuple(int64(1)<<62, int64(1)<<62)), "dtype", f8, "axis", int64(0)),
		"too large":       info(t, "chunks", tuple(tuple(int64(1)<<40), tuple(int64(1)<<40)), "dtype", f8, "axis", int64(0)),
		"two axes":        info(t, "chunks", tuple(tuple(int64(2), int64(2)), tuple(int64(2), int64(2))), "dtype", f8, "axis", int64(0)),
		"nested":          info(t, "chunks", deep, "dtype", f8, "axis", int64(0)),
		"objects":         info(t, "chunks", tuple(tuple(int64(2))), "dtype", objects.NewDType(dtype.Object), "axis", int64(0)),
		"many dimensions": info(t, "chunks", tuple(slices.Repeat([]any{tuple(int64(1))}, 70)...), "dtype", f8, "axis", int64(0)),
	} {
		if m, err := parts.ParseStackInfo(data); err == nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
	m := must(parts.ParseStackInfo(info(t, "chunks", &pickle.List{Items: []any{tuple(int64(2), int64(0))}}, "dtype", f8, "axis", int64(-1))))
	if m.Axis != 0 || !slices.Equal(m.Shape, []int{2}) || len(m.Parts) != 2 {
		t.Errorf("lists and a negative axis: %+v", m)
	}
}

func FuzzStackInfo(f *testing.F) {
	f.Add([]byte(daskInfo))
	f.Add(info(f, "chunks", tuple(tuple(int64(2), int64(3)), tuple(int64(1))), "dtype", objects.NewDType(must(dtype.Parse("[('a', '<f8')]"))), "axis", int64(-2)))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parts.ParseStackInfo(data)
		if err != nil {
			return
		}
		checkManifest(t, m)
		again, err := parts.ParseStackInfo(must(m.AppendStackInfo(nil)))
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("%+v is read again as %+v, %v", m, again, err)
		}
	})
}

func TestReadStack(t *testing.T) {
	dir := t.TempDir()
	if _, err := parts.ReadStack(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no info: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, parts.StackInfo), make([]byte, 16<<20+1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := parts.ReadStack(dir); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("a large info: %v", err)
	}
}

// dask opens the stacks that are written here, and the stacks that it writes are opened here.
func TestDask(t *testing.T) {
	const script = `
import dask.array as da, json, sys, numpy as np
ours, theirs = sys.argv[1:]
a = da.from_npy_stack(ours)
x = np.arange(60, dtype=">i4").reshape(4, 5, 3)
da.to_npy_stack(theirs, da.from_array(x, chunks=(3, 2, 2)), axis=1)
print(json.dumps([str(a.dtype), a.shape, a.chunks, a.compute().ravel().tolist()]))`
	ours, theirs := t.TempDir(), filepath.Join(t.TempDir(), "stack")
	whole := must(npy.FromSlice([]int16{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 5, 2))
	paths := split(t, ours, whole, 0, 2, 4)
	for i, path := range paths {
		if err := os.Rename(filepath.Join(ours, path), filepath.Join(ours, fmt.Sprintf("%d.npy", i))); err != nil {
			t.Fatal(err)
		}
		paths[i] = fmt.Sprintf("%d.npy", i)
	}
	m := must(parts.Scan(t.Context(), 0, paths, parts.Dir(ours, npy.Decoder{})))
	if err := m.WriteStackInfo(ours); err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal(oracle.Module(t, "dask.array", script, ours, theirs), &got); err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(got); text != "[int16 [5 2] [[2 2 1] [2]] [1 2 3 4 5 6 7 8 9 10]]" {
		t.Errorf("dask reads %s", text)
	}
	a := must(parts.OpenStack(theirs))
	defer a.Close()
	read := must(a.ReadAll(t.Context()))
	if read.DType().Descr() != ">i4" || !slices.Equal(read.Shape(), []int{4, 5, 3}) {
		t.Errorf("dtype %s, shape %v", read.DType(), read.Shape())
	}
	for i, n := range must(must(npy.As[int32](must(read.AsType(dtype.Int32)))).ToSlice(), nil) {
		if int(n) != i {
			t.Fatalf("element %d is %d", i, n)
		}
	}
}
