package hdf5_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/oracle"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A fixture is a dataset as h5py reads it, from testdata/manifest.json.
type fixture struct {
	Null   bool
	Shape  []int
	DType  string
	Chunks []int
	Values []any
	SHA256 string
}

func fixtures(t testing.TB) map[string]map[string]fixture {
	t.Helper()
	var m struct {
		Files map[string]map[string]fixture
	}
	d := json.NewDecoder(bytes.NewReader(must(os.ReadFile("testdata/manifest.json"))))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m.Files
}

func open(t testing.TB, name string) *hdf5.Reader {
	t.Helper()
	r, err := hdf5.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// Every dataset of every fixture has the shape, dtype and values that h5py reads.
func TestFixtures(t *testing.T) {
	for name, datasets := range fixtures(t) {
		r := open(t, name)
		for path, want := range datasets {
			src, err := r.Source(path)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			a, err := src.ReadAll(context.Background())
			if err == nil {
				err = want.check(a)
			}
			if err != nil {
				t.Errorf("%s: %s: %v", name, path, err)
			}
			if e, err := r.Entry(path); err != nil || e.Err != nil || !slices.Equal(e.Shape, a.Shape()) || len(want.Chunks) > 0 && !slices.Equal(e.Chunks, want.Chunks) {
				t.Errorf("%s: %s: entry %+v, error %v", name, path, e, err)
			}
		}
	}
}

// The entry of a path is the one that is listed.
func TestEntry(t *testing.T) {
	for name := range fixtures(t) {
		r := open(t, name)
		for want := range r.Entries() {
			got, err := r.Entry(want.Path)
			if err != nil || fmt.Sprint(got.Err) != fmt.Sprint(want.Err) {
				t.Errorf("%s: %s: error %v, and the entry has %v, want %v", name, want.Path, err, got.Err, want.Err)
			}
			got.Err, want.Err = nil, nil
			if want.Link != "" && got.Link == "" {
				got.Link, got.LinkKind = want.Link, want.LinkKind // not of a soft link
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s: the entry is %+v, and %+v is listed", name, want.Path, got, want)
			}
		}
	}
}

// The error of MaxEntries has the number that was refused, for a group and for a whole file.
func TestMaxEntries(t *testing.T) {
	for most, want := range map[int]int64{0: 0, 9: 10, 50: 51} {
		r := must(hdf5.Decoder{MaxEntries: most}.Open("testdata/groups-earliest.h5"))
		defer r.Close()
		var last error
		for e := range r.Entries() {
			if errors.Is(e.Err, npy.ErrLimit) {
				last = e.Err
			}
		}
		var over *npy.LimitError
		if errors.As(last, &over); want == 0 != (over == nil) || over != nil && (over.Name != "MaxEntries" || over.Got != want) {
			t.Errorf("MaxEntries %d: error %v", most, last)
		}
	}
}

// Links of every kind to an array and to a group say so, and the first hard link does not.
func TestLinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "links.")
	oracle.Module(t, "h5py", `
import h5py, sys
for libver in ("earliest", "latest"):
    with h5py.File(sys.argv[1] + libver, "w", libver=libver) as f:
        f["a/data"] = [1, 2, 3]
        f["a/again"] = f["a/data"]
        f["a/dot"] = h5py.SoftLink("./data")
        f["b"] = f["a"]
        f["c"] = h5py.SoftLink("a")
        f["d"] = h5py.SoftLink("/b/data")
        f["e"] = h5py.SoftLink("/none")
        f["root"] = h5py.SoftLink("/")
`, path)
	want := []string{"a ", "a/again ", "a/data /a/again", "a/dot /a/./data", "b /a", "c /a", "d /b/data", "e /none", "root /"}
	for _, libver := range []string{"earliest", "latest"} {
		r := must(hdf5.Open(path + libver))
		defer r.Close()
		var got []string
		for e := range r.Entries() {
			got = append(got, e.Path+" "+e.Link)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: links %q, want %q", libver, got, want)
		}
		if e, err := r.Entry("e"); err != nil || !errors.Is(e.Err, fs.ErrNotExist) {
			t.Errorf("%s: the entry of a soft link to nothing is %+v, error %v", libver, e, err)
		}
		if _, err := r.Entry("e/data"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a path through it: error %v", libver, err)
		}
	}
}

// check compares an array with a fixture.
func (f fixture) check(a *npy.Array) error {
	if f.Null {
		if a.Size() != 0 {
			return fmt.Errorf("%d elements of a null dataspace", a.Size())
		}
		return nil
	}
	if !slices.Equal(a.Shape(), f.Shape) {
		return fmt.Errorf("shape %v, want %v", a.Shape(), f.Shape)
	}
	if got := a.DType().Descr(); got != f.DType && f.DType != "struct" {
		return fmt.Errorf("dtype %s, want %s", got, f.DType)
	}
	if f.SHA256 != "" {
		sum := sha256.Sum256(a.Bytes())
		if hex.EncodeToString(sum[:]) != f.SHA256 {
			return fmt.Errorf("other elements")
		}
		return nil
	}
	got := elements(a)
	gotText, wantText := fmt.Sprint(got), fmt.Sprint(f.Values)
	if gotText != wantText {
		return fmt.Errorf("elements %.300s, want %.300s", gotText, wantText)
	}
	return nil
}

// elements returns the elements in the neutral form of gen.py.
func elements(a *npy.Array) []any {
	list := []any{}
	if a.DType().Kind() == dtype.KindObject {
		for _, v := range must(a.Objects()) {
			list = append(list, neutral(v))
		}
		return list
	}
	if a.DType().IsStruct() {
		var columns [][]any
		for _, f := range a.DType().Fields() {
			column := must(a.Field(f.Name))
			items, n := elements(column), a.Size()
			if len(items) != n { // a subarray
				var rows []any
				for row := range slices.Chunk(items, len(items)/n) {
					rows = append(rows, row)
				}
				items = rows
			}
			columns = append(columns, items)
		}
		for i := range a.Size() {
			var row []any
			for _, c := range columns {
				row = append(row, c[i])
			}
			list = append(list, row)
		}
		return list
	}
	c := a.Contiguous()
	data := c.Bytes()
	for item := range slices.Chunk(data, max(a.DType().ItemSize(), 1)) {
		list = append(list, number(a.DType(), item))
	}
	return list
}

func neutral(v any) any {
	switch v := v.(type) {
	case *npy.Array:
		return elements(v)
	case nil:
		return "ref"
	case string:
		if strings.HasPrefix(v, "/") {
			return "ref"
		}
		return v
	}
	return v
}

// number returns an element as JSON has it.
func number(t dtype.Type, b []byte) any {
	b = bytes.Clone(b)
	if t.ByteOrder() == dtype.BigEndian {
		part := len(b)
		if t.Kind() == dtype.KindComplex {
			part /= 2
		}
		for p := range slices.Chunk(b, part) {
			slices.Reverse(p)
		}
	}
	var wide [16]byte
	copy(wide[:], b)
	u := binary.LittleEndian.Uint64(wide[:])
	switch t.Kind() {
	case dtype.KindBool:
		return u != 0
	case dtype.KindUint:
		return u
	case dtype.KindInt, dtype.KindDatetime, dtype.KindTimedelta:
		shift := 64 - 8*len(b)
		return int64(u<<shift) >> shift
	case dtype.KindFloat:
		return jsonFloat(float(b))
	case dtype.KindComplex:
		return []any{jsonFloat(float(b[:len(b)/2])), jsonFloat(float(b[len(b)/2:]))}
	case dtype.KindBytes:
		latin := []rune{}
		for _, c := range bytes.TrimRight(b, "\x00") {
			latin = append(latin, rune(c))
		}
		return string(latin)
	}
	return hex.EncodeToString(b)
}

func jsonFloat(x float64) any {
	text, _ := json.Marshal(x)
	if x == math.Trunc(x) && !strings.Contains(string(text), "e") {
		return json.Number(string(text) + ".0")
	}
	return json.Number(text)
}

// float returns a little-endian float.
func float(b []byte) float64 {
	switch len(b) {
	case 2:
		h := binary.LittleEndian.Uint16(b)
		exp, mant := int(h>>10&31), float64(h&1023)
		x := math.Ldexp(1+mant/1024, exp-15)
		if exp == 0 {
			x = math.Ldexp(mant/1024, -14)
		}
		if h>>15 != 0 {
			x = -x
		}
		return x
	case 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case 8:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	mant, head := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint16(b[8:])
	x := math.Ldexp(float64(mant), int(head&0x7fff)-16383-63)
	if head>>15 != 0 {
		x = -x
	}
	return x
}
