package netcdf_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npytest"
)

// A named is an array with its entry and attributes.
type named struct {
	e          container.Entry
	attributes []container.Attribute
	npy.Source
}

// save writes arrays and opens them.
func save(t testing.TB, enc netcdf.Encoder, arrays ...named) (*netcdf.Reader, []byte) {
	t.Helper()
	var b bytes.Buffer
	w := must(enc.NewWriter(&b))
	for _, a := range arrays {
		var err error
		if a.Source == nil {
			_, err = w.Begin(a.e, a.attributes)
		} else {
			err = container.Put(context.Background(), w, a.e, a.attributes, a.Source)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := netcdf.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f, b.Bytes()
}

// Fixed variables, record variables among others and alone read as npy.File does.
func TestSource(t *testing.T) {
	vectors, err := npytest.Vectors("../testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	other := must(npy.FromSlice([]int8{1, 2, 3}))
	for name, others := range map[string]int{"fixed": -1, "records": 3, "alone": 0} {
		t.Run(name, func(t *testing.T) {
			files := map[string]npy.Source{}
			npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
				if !isPlain(v.DType) || slices.Contains(v.Shape, 0) || others >= 0 && len(v.Shape) == 0 {
					return nil
				}
				if files[v.Path] == nil {
					var enc netcdf.Encoder
					e := container.Entry{Path: "x", Dims: make([]string, len(v.Shape))}
					var all []named
					if others >= 0 {
						enc.Record, e.Dims[0] = "time", "time"
						n := v.Shape[0]
						for i := range others {
							pad := must(npy.New(dtype.Bytes(1+2*i), n))
							all = append(all, named{container.Entry{Path: fmt.Sprint("before", i), Dims: []string{"time"}}, nil, pad})
						}
					}
					all = append(all, named{e, nil, must(npy.ReadFile(v.Path))})
					if others > 0 {
						all = append(all, named{container.Entry{Path: "after"}, nil, other})
					}
					f, _ := save(t, enc, all...)
					files[v.Path] = must(f.Source("x"))
				}
				return files[v.Path]
			})
		})
	}
}

// isPlain reports whether a dtype comes back as it is.
func isPlain(t dtype.Type) bool {
	switch t.Kind() {
	case dtype.KindInt, dtype.KindUint:
	case dtype.KindFloat:
		if t.ItemSize() != 4 && t.ItemSize() != 8 {
			return false
		}
	default:
		return false
	}
	return t.ItemSize() == 1 || t.ByteOrder() == dtype.BigEndian
}

func text(s string) *npy.Array { return must(npy.FromObjects([]any{s}, []int{}...)) }

// content has arrays of all kinds.
func content(wide bool) []named {
	var all []named
	add := func(e container.Entry, a *npy.Array, attributes ...container.Attribute) {
		all = append(all, named{e, attributes, a})
	}
	all = append(all, named{container.Entry{Group: true}, []container.Attribute{{Name: "title", Value: text("días")}, {Name: "levels", Value: must(npy.FromSlice([]int64{1, 2, 3}))}}, nil})
	grid := must(npy.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3))
	add(container.Entry{Path: "grid", Dims: []string{"y", "x"}}, grid, container.Attribute{Name: "units", Value: text("K")}, container.Attribute{Name: "_FillValue", Value: must(npy.FromSlice([]int8{-1}, []int{}...))})
	add(container.Entry{Path: "fortran", Dims: []string{"y", "x"}}, grid.Fortran())
	add(container.Entry{Path: "group/part", Dims: []string{"", "z"}}, grid.T())
	add(container.Entry{Path: "scalar"}, must(npy.FromSlice([]float32{2.5}, []int{}...)))
	add(container.Entry{Path: "yes"}, must(npy.FromSlice([]bool{true, false})))
	add(container.Entry{Path: "bytes"}, must(npy.FromSlice([]int8{1, -2, 3})))
	add(container.Entry{Path: "words"}, must(npy.FromSliceAs(dtype.Str(5), []string{"one", "日本", ""})))
	add(container.Entry{Path: "objects"}, must(npy.FromObjects([]any{"first", "añ"})))
	add(container.Entry{Path: "flat"}, must(npy.FromBytes(dtype.Bytes(3), []byte("abcde\x00"), 2)))
	add(container.Entry{Path: "rec_short", Dims: []string{"time"}}, must(npy.FromSlice([]int16{1, 2, 3})))
	add(container.Entry{Path: "rec_grid", Dims: []string{"time", "x"}}, must(npy.FromSlice([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3)))
	add(container.Entry{Path: "rec_word", Dims: []string{"time"}}, must(npy.FromSliceAs(dtype.Str(5), []string{"a", "bb", "ccc"})))
	if wide {
		add(container.Entry{Path: "u8"}, must(npy.FromSlice([]uint64{1<<64 - 1})))
		add(container.Entry{Path: "times"}, must(npy.FromBytes(dtype.Datetime64(dtype.Step{Unit: dtype.Second}).WithByteOrder(dtype.LittleEndian), []byte{10, 0, 0, 0, 0, 0, 0, 0}, 1)))
	}
	return all
}

func values(t *testing.T, paths ...string) map[string]map[string]expected {
	script := must(os.ReadFile("testdata/values.py"))
	var all map[string]map[string]expected
	if err := json.Unmarshal(oracle.Module(t, "netCDF4", string(script), paths...), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// What is written reads back, here and in netCDF4.
func TestWriter(t *testing.T) {
	for _, wide := range []bool{false, true} {
		f, data := save(t, netcdf.Encoder{Record: "time"}, content(wide)...)
		if want := map[bool]string{false: "netCDF-3, CDF-2", true: "netCDF-3, CDF-5"}[wide]; f.Format() != want {
			t.Errorf("the format is %s, want %s", f.Format(), want)
		}
		for _, a := range content(wide) {
			if a.Source == nil || a.DType().Kind() == dtype.KindDatetime || a.DType().Kind() == dtype.KindStr || a.DType().HasObject() {
				continue
			}
			got := must(must(f.Source(strings.ReplaceAll(a.e.Path, "/", "."))).ReadAll(context.Background()))
			want := must(must(a.ReadAll(context.Background())).Cast(got.DType(), npy.UnsafeCasting))
			if !slices.Equal(got.Shape(), want.Shape()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s: %v, want %v", a.e.Path, got, want)
			}
		}
		words := must(npy.As[string](must(must(f.Source("words")).ReadAll(context.Background())))).ToSlice()
		if want := []string{"one", "日本", ""}; !slices.Equal(words, want) {
			t.Errorf("words are %q, want %q", words, want)
		}
		path := filepath.Join(t.TempDir(), "x.nc")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		sameValues(t, f, values(t, path)["x.nc"])
	}
}

// ncdump reads what is written.
func TestNcdump(t *testing.T) {
	program, err := exec.LookPath("ncdump")
	if err != nil {
		values(t) // skips, or fails in CI
		t.Skip("there is no ncdump")
	}
	_, data := save(t, netcdf.Encoder{Record: "time"}, content(true)...)
	path := filepath.Join(t.TempDir(), "x.nc")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"time = UNLIMITED ; // (3 currently)", "double grid(y, x) ;", `grid:units = "K" ;`, "grid:_FillValue = -1. ;", "double group.part(n3, z) ;", "char words(n3, string6) ;", " rec_short = 1, 2, 3 ;", `:title = "días" ;`, ":levels = 1, 2, 3 ;", `times:units = "seconds since 1970-01-01" ;`, `yes:dtype = "bool" ;`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("ncdump prints no %q:\n%s", want, out)
		}
	}
}

// Random variables agree with netCDF4.
func TestRandom(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	dtypes := []dtype.Type{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Float32, dtype.Float64, dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Int64, dtype.Uint64, dtype.Bytes(3)}
	var files []*netcdf.Reader
	var paths []string
	for i := range oracle.Cases(t, 40) {
		records := random.IntN(4)
		var all []named
		for k := range 1 + random.IntN(5) {
			e := container.Entry{Path: fmt.Sprint("v", k)}
			for range random.IntN(4) {
				n := 1 + random.IntN(4)
				e.Shape = append(e.Shape, n)
				e.Dims = append(e.Dims, fmt.Sprint("d", n))
			}
			if len(e.Shape) > 0 && random.IntN(2) == 0 {
				e.Shape[0], e.Dims[0] = records, "time"
			}
			typ := dtypes[random.IntN(5)]
			if i%2 == 0 {
				typ = dtypes[random.IntN(len(dtypes))]
			}
			a := must(npy.New(typ, e.Shape...))
			data, _ := a.ViewBytes()
			for j := range data {
				data[j] = byte(random.IntN(100)) + 1
			}
			all = append(all, named{e, nil, a})
		}
		f, data := save(t, netcdf.Encoder{Record: "time"}, all...)
		files = append(files, f)
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("%d.nc", i)))
		if err := os.WriteFile(paths[i], data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range values(t, paths...) {
		var i int
		fmt.Sscan(strings.TrimSuffix(name, ".nc"), &i)
		sameValues(t, files[i], want)
	}
}

func TestWriterRefuses(t *testing.T) {
	w, err := netcdf.Encoder{Record: "time"}.NewWriter(&bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	for _, t2 := range []dtype.Type{dtype.Complex128, dtype.LongDouble, must(dtype.Parse("i4,f8")), dtype.Datetime64(dtype.Step{Unit: dtype.Month})} {
		if _, err := w.Begin(container.Entry{Path: "x", DType: t2, Shape: []int{1}}, nil); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("dtype %s: error %v", t2, err)
		}
	}
	if _, err := w.Begin(container.Entry{Path: "x", DType: dtype.Int8, Shape: []int{2, 0}}, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an axis of length 0: error %v", err)
	}
	one := must(npy.FromSlice([]float64{1}))
	if err := container.Put(context.Background(), w, container.Entry{Path: "a/b", Dims: []string{"time"}}, nil, one); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Begin(container.Entry{Path: "a.b", DType: dtype.Int8}, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: error %v", err)
	}
	if _, err := w.Begin(container.Entry{Path: "c", DType: dtype.Int8, Shape: []int{2}, Dims: []string{"time"}}, nil); err == nil {
		t.Error("another number of records: no error")
	}
	a, err := w.Begin(container.Entry{Path: "d", DType: dtype.Float64, Shape: []int{2}}, nil)
	if err == nil {
		err = a.Write(one)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err == nil {
		t.Error("an array that ends early: no error")
	}
	a, _ = w.Begin(container.Entry{Path: "e", DType: dtype.Float64}, nil)
	if err := errors.Join(a.Write(one), a.Write(one)); err == nil {
		t.Error("an array with more elements: no error")
	}
}

func TestLosses(t *testing.T) {
	f := netcdf.Format(netcdf.Decoder{}, netcdf.Encoder{})
	lost := lostOf(t, f, container.Entry{Path: "a/b", DType: dtype.Bool}, container.Attribute{Name: "list", Value: must(npy.FromObjects([]any{"a", "b"}))}, container.Attribute{Name: "ok", Value: text("x")})
	if len(lost) != 3 {
		t.Errorf("losses %v", lost)
	}
	if lost := lostOf(t, f, container.Entry{Path: "a", DType: dtype.Float64}); lost != nil {
		t.Errorf("losses %v", lost)
	}
}

// lostOf returns what writing an entry of one element reports as lost.
func lostOf(t *testing.T, f container.Format, e container.Entry, attributes ...container.Attribute) (lost []container.Loss) {
	t.Helper()
	e.Shape = []int{1}
	err := f.Create(filepath.Join(t.TempDir(), "a"), container.WriteOptions{Lost: func(l container.Loss) { lost = append(lost, l) }}, func(w container.Writer) error {
		return container.Put(context.Background(), w, e, attributes, must(npy.New(e.DType, 1)))
	})
	if err != nil {
		t.Fatal(err)
	}
	return lost
}
