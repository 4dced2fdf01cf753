package answer_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	allformats "github.com/npygo/npy/container/all"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/view/internal/answer"
	"github.com/npygo/npy/view/internal/sample"
)

// memory returns a file of a format in memory, whose first item with the path "" has the attributes of the file.
func memory(kind string, items ...sample.Item) answer.Input {
	f := &answer.File{Kind: kind, Close: func() {}}
	var global []container.Attribute
	var all []sample.Item
	for _, x := range items {
		if x.Path == "" && x.Group {
			global = x.Attributes
			continue
		}
		if x.Array != nil {
			x.DType, x.Shape = x.Array.DType(), x.Array.Shape()
		}
		all = append(all, x)
		f.Entries = append(f.Entries, x.Entry)
	}
	f.Source = func(i int) (npy.Source, error) { return all[i].Array, nil }
	f.Attributes = func(i int) []container.Attribute { return all[i].Attributes }
	f.Global = func() []container.Attribute { return global }
	return answer.Input{Name: "m", Open: func(context.Context) (*answer.File, error) { return f, nil }}
}

// written returns a file on disk.
func written(t *testing.T, name string, items ...sample.Item) answer.Input {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := sample.Write(path, items...); err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	info, err := r.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, format, err := allformats.Formats().NewNamedReader(r, info.Size(), path)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Input{Name: path, Open: func(context.Context) (*answer.File, error) { return answer.FileOf(format, f, func() {}), nil }}
}

func constant(n int, v float64) []float64 { return sample.Ramp(n, v, 0) }

// waves returns elements that differ from their neighbours.
func waves(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Sin(float64(i) * 0.37)
	}
	return out
}

// The first array of a file, and how it is shown.
func TestStart(t *testing.T) {
	type reading struct {
		At    time.Time `npy:"at,M8[s]"`
		Value float32   `npy:"value"`
		Code  int32     `npy:"code"`
	}
	type log struct {
		Code int32   `npy:"code"`
		Time float64 `npy:"time"`
		Mag  float32 `npy:"mag"`
	}
	var readings, shuffled []reading
	var logs []log
	for i := range 100 {
		readings = append(readings, reading{time.Unix(int64(1e9+60*i), 0), float32(i % 7), int32(i)})
		shuffled = append(shuffled, reading{time.Unix(int64(1e9+60*(i*37%100)), 0), float32(i % 7), int32(i)})
		logs = append(logs, log{int32(i), float64(i) / 3, float32(i % 5)})
	}
	records := func(a *npy.Array, err error) *npy.Array {
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	one := func(a *npy.Array) answer.Input { return memory("npz", sample.Array("a", a, "")) }
	cast := func(a *npy.Array, d dtype.Type) *npy.Array {
		c, err := a.Cast(d, npy.UnsafeCasting)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	bytes := func(shape ...int) *npy.Array {
		n := 1
		for _, d := range shape {
			n *= d
		}
		out := make([]uint8, n)
		for i := range out {
			out[i] = uint8(i * 7)
		}
		return sample.Of(out, shape...)
	}
	holes := append(constant(3*20*30, math.NaN()), waves(20*30)...)
	holes = append(holes, constant(20*30, 0)...)
	light := waves(3 * 20 * 30)
	for i, v := range light {
		light[i] = v * v
	}
	backwards := sample.Climate()
	for i := range backwards {
		if backwards[i].Path == "lat" {
			backwards[i].Array = sample.Of(sample.Ramp(sample.Lats, 90, -5))
		}
	}
	old := []sample.Item{
		sample.Group("entry", "NX_class", "NXentry"),
		sample.Array("entry/x", sample.Of(waves(200)), ""),
		sample.Group("entry/data", "NX_class", "NXdata"),
		sample.Array("entry/data/angle", sample.Of(sample.Ramp(50, 3, 2)), ""),
		sample.Array("entry/data/counts", sample.Of(waves(50)), "", "signal", 1, "axes", "angle"),
	}
	for _, c := range []struct {
		name  string
		in    answer.Input
		first string // the path
		view  string // with the positions, the field, the x axis and up
	}{
		{"one axis", one(sample.Of(waves(100))), "a", "lines x"},
		{"a matrix", one(sample.Of(waves(600), 20, 30)), "a", "heatmap y,x"},
		{"few long rows", one(sample.Of(waves(600), 6, 100)), "a", "lines s,x"},
		{"few long columns", one(sample.Of(waves(600), 200, 3)), "a", "lines x,s"},
		{"rows that are not long", one(sample.Of(waves(240), 6, 40)), "a", "heatmap y,x"},
		{"rows that are not few", one(sample.Of(waves(900), 9, 100)), "a", "heatmap y,x"},
		{"axes of one position", one(sample.Of(waves(100), 100, 1, 1)), "a", "lines x,0,0"},
		{"a matrix between", one(sample.Of(waves(600), 20, 1, 30, 1)), "a", "heatmap y,0,x,0"},
		{"bytes, colours last", one(bytes(20, 30, 3)), "a", "image y,x,c"},
		{"bytes, colours first", one(bytes(4, 20, 30)), "a", "image c,y,x"},
		{"a batch of images", one(bytes(5, 3, 20, 30)), "a", "image 0,c,y,x"},
		{"light from 0 to 1", one(cast(sample.Of(light, 3, 20, 30), dtype.Float32)), "a", "image c,y,x"},
		{"three components", one(sample.Of(waves(1800), 3, 20, 30)), "a", "heatmap 0,y,x"},
		{"three named levels", memory("netCDF", sample.Array("a", bytes(3, 20, 30), "level y x")), "a", "heatmap 0,y,x"},
		{"nothing in the first ones", one(sample.Of(holes, 5, 20, 30)), "a", "heatmap 3,y,x"},
		{"nothing anywhere", one(sample.Of(constant(1800, 0), 3, 20, 30)), "a", "heatmap 0,y,x"},
		{"complex numbers", one(cast(sample.Of(waves(600), 20, 30), dtype.Complex128)), "a", "heatmap y,x"},
		{"records in time", one(records(record.FromSlice(readings))), "a", "lines x field=value xs=0.0.at"},
		{"records with a field time", one(records(record.FromSlice(logs))), "a", "lines x field=mag xs=0.0.time"},
		{"records in disorder", one(records(record.FromSlice(shuffled))), "a", ""},
		{"a scalar before the array", memory("npz", sample.Array("s", sample.Of([]float64{1}, []int{}...), ""), sample.Array("b", sample.Of(waves(100)), "")), "b", "lines x"},
		{"a scalar alone", one(sample.Of([]float64{1}, []int{}...)), "a", ""},
		{"no elements", one(sample.Of([]float64{}, 0, 3)), "a", ""},
		{"netCDF", written(t, "c.nc", sample.Climate()...), "tas", "heatmap 11,y,x up"},
		{"netCDF from north to south", written(t, "n.nc", backwards...), "tas", "heatmap 11,y,x"},
		{"CF in HDF5", written(t, "c.h5", sample.Climate()...), "tas", "heatmap 11,y,x up"},
		{"NeXus", written(t, "s.h5", sample.Scan()...), "entry/plot/counts", "heatmap y,x"},
		{"NeXus as it was", written(t, "o.h5", old...), "entry/data/counts", "lines x xs=angle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := answer.New([]answer.Input{c.in})
			defer a.Close()
			got := askJSON(t, a, "first", "")
			e, ok := got["e"].(float64)
			about := askJSON(t, a, "array", fmt.Sprint("f=0&e=", e))
			if !ok || about["path"] != c.first {
				t.Fatalf("the first array is %v of %v, want %s", about["path"], got, c.first)
			}
			st := askJSON(t, a, "start", fmt.Sprint("f=0&e=", e))
			view := fmt.Sprint(st["view"])
			var at []string
			for _, word := range st["at"].([]any) {
				at = append(at, word.(string))
			}
			if view != "" {
				view += " " + strings.Join(at, ",")
			}
			if st["field"] != "" {
				view += fmt.Sprint(" field=", st["field"])
			}
			if xs := st["xs"].(string); strings.Count(xs, ".") == 1 {
				view += fmt.Sprint(" xs=", filepath.Base(fmt.Sprint(askJSON(t, a, "array", "f=0&e="+strings.TrimPrefix(xs, "0."))["path"])))
			} else if xs != "" {
				view += " xs=" + xs
			}
			if st["up"] == true {
				view += " up"
			}
			if view != c.view {
				t.Errorf("it starts as %q, want %q", view, c.view)
			}
		})
	}
}

// Files without an array that can be read say why.
func TestFirstOfNone(t *testing.T) {
	broken := sample.Group("b")
	broken.Group, broken.Err = false, fmt.Errorf("chunk 7 is damaged")
	for want, in := range map[string]answer.Input{"there are no arrays in it": memory("HDF5", sample.Group("g")), "chunk 7 is damaged": memory("HDF5", broken)} {
		a := answer.New([]answer.Input{in})
		defer a.Close()
		if got := askJSON(t, a, "first", ""); got["error"] != want || got["e"] != nil {
			t.Errorf("%v, want %q", got, want)
		}
	}
}
