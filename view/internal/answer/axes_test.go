package answer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/view/internal/answer"
	"github.com/npygo/npy/view/internal/sample"
)

// entryOf returns the number of an entry of the first file.
func entryOf(t *testing.T, a *answer.Answers, path string) int {
	t.Helper()
	for i, x := range askJSON(t, a, "entries", "f=0&n=100")["entries"].([]any) {
		if x.(map[string]any)["path"] == path {
			return i
		}
	}
	t.Fatalf("there is no %s", path)
	return 0
}

// axesOf returns the coordinates of each axis, with the reason why they are not used after a colon.
func axesOf(t *testing.T, a *answer.Answers, query string) (out []string) {
	t.Helper()
	for _, x := range askJSON(t, a, "axes", query)["axes"].([]any) {
		var all []string
		for _, c := range x.(map[string]any)["all"].([]any) {
			c := c.(map[string]any)
			text := fmt.Sprint(c["path"])
			if c["why"] != "" {
				text += ": " + fmt.Sprint(c["why"])
			} else if c["rises"] != true {
				text += " falls"
			}
			all = append(all, text)
		}
		out = append(out, strings.Join(all, "; "))
	}
	return out
}

// The coordinates of axes by each convention. Those that cannot be used say why.
func TestAxes(t *testing.T) {
	scaled := sample.Array("grid", sample.Of(waves(12), 3, 4), "")
	scaled.Scales = [][]string{{"/rows"}, nil}
	const wide = 1<<20 + 5000
	long := sample.Ramp(wide, 0, 1)
	turned := sample.Ramp(wide, 0, 1)
	turned[wide-1] = 0
	for _, c := range []struct {
		name string
		in   answer.Input
		path string
		want []string
	}{
		{"netCDF", written(t, "c.nc", sample.Climate()...), "tas", []string{"time", "lat; height: it neither rises nor falls throughout: 0 at 18 is followed by 1 at 19", "lon"}},
		{"dimension scales", written(t, "c.h5", sample.Climate()...), "tas", []string{"time", "lat; height: it neither rises nor falls throughout: 0 at 18 is followed by 1 at 19", "lon"}},
		{"scales by path", memory("HDF5", sample.Array("rows", sample.Of([]float64{3, 2, 1}), ""), scaled), "grid", []string{"rows falls", ""}},
		{"NXdata", written(t, "s.h5", sample.Scan()...), "entry/plot/counts", []string{
			"entry/plot/two_theta falls", "entry/plot/energy; entry/plot/wobble: it neither rises nor falls throughout: 0.9092974268 at 2 is followed by 0.1411200081 at 3"}},
		{"NXdata by indices", memory("HDF5", sample.Group("p", "NX_class", "NXdata", "signal", "z", "y_indices", 0), sample.Array("p/z", sample.Of(waves(12), 3, 4), ""), sample.Array("p/y", sample.Of([]float64{1, 2, 4}), "")), "p/z", []string{"p/y", ""}},
		{"NXdata with two for an axis", memory("HDF5", sample.Group("p", "NX_class", "NXdata", "signal", "z", "axes", []string{"y", "."}, "other_indices", 0, "y_indices", 0), sample.Array("p/z", sample.Of(waves(12), 3, 4), ""), sample.Array("p/other", sample.Of([]float64{3, 4, 5}), ""), sample.Array("p/y", sample.Of([]float64{1, 2, 4}), "")), "p/z", []string{"p/y; p/other", ""}},
		{"axes of the signal", memory("HDF5", sample.Group("p", "NX_class", "NXdata"), sample.Array("p/z", sample.Of(waves(12), 3, 4), "", "signal", 1, "axes", "[y,x]"), sample.Array("p/y", sample.Of([]float64{1, 2, 4}), ""), sample.Array("p/x", sample.Of([]float64{1, 2, 4, 8}), "")), "p/z", []string{"p/y", "p/x"}},
		{"edges", memory("netCDF", sample.Array("x", sample.Of(sample.Ramp(5, 0, 1)), "n"), sample.Array("z", sample.Of(waves(4)), "m", "coordinates", "x"), sample.Array("m", sample.Of(sample.Ramp(5, 0, 1)), "q")), "z", []string{"m: it has 5 elements, and the axis 4"}},
		{"two axes", memory("netCDF", sample.Array("lat", sample.Of(waves(12), 3, 4), "y x"), sample.Array("z", sample.Of(waves(12), 3, 4), "y x", "coordinates", "lat")), "z", []string{"lat: it has 2 axes: only arrays of one axis are coordinates", "lat: it has 2 axes: only arrays of one axis are coordinates"}},
		{"a coordinate missing", memory("netCDF", sample.Array("x", sample.Of([]float64{1, math.NaN(), 3}), "x"), sample.Array("z", sample.Of(waves(3)), "x")), "z", []string{"x: element 1 is no number"}},
		{"one twice", memory("netCDF", sample.Array("x", sample.Of([]float64{1, 1, 3}), "x"), sample.Array("z", sample.Of(waves(3)), "x")), "z", []string{"x: it neither rises nor falls throughout: 1 at 0 is followed by 1 at 1"}},
		{"packed", memory("netCDF", sample.Array("x", sample.Of([]int16{10, 20, 30}), "x", "scale_factor", -0.5), sample.Array("z", sample.Of(waves(3)), "x")), "z", []string{"x falls"}},
		{"long", memory("netCDF", sample.Array("x", sample.Of(long), "x"), sample.Array("z", sample.Of(long), "x")), "z", []string{"x"}},
		{"long, with a turn", memory("netCDF", sample.Array("x", sample.Of(turned), "x"), sample.Array("z", sample.Of(long), "x")), "z", []string{fmt.Sprintf("x: it neither rises nor falls throughout: %d at %d is followed by 0 at %d", wide-2, wide-2, wide-1)}},
		{"the dimension of a group around", memory("netCDF", sample.Array("x", sample.Of([]float64{1, 2, 3}), "x"), sample.Group("g"), sample.Array("g/z", sample.Of(waves(3)), "x")), "g/z", []string{"x"}},
		{"a coordinate itself", memory("netCDF", sample.Array("x", sample.Of([]float64{1, 2, 3}), "x")), "x", []string{""}},
		{"a scale that is nowhere", memory("HDF5", func() sample.Item {
			x := sample.Array("z", sample.Of(waves(3)), "")
			x.Scales = [][]string{{"/gone"}}
			return x
		}()), "z", []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := answer.New([]answer.Input{c.in})
			defer a.Close()
			got := axesOf(t, a, fmt.Sprint("f=0&e=", entryOf(t, a, c.path)))
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("the axes are\n%q, want\n%q", got, c.want)
			}
		})
	}
}

// An array that is chosen by hand is checked as the found ones are.
func TestAxesByHand(t *testing.T) {
	a := answer.New([]answer.Input{input("m.npz", slice(t, waves(12), 3, 4), slice(t, []int32{5, 6, 8}), slice(t, []int32{5, 6, 8, 7}))})
	defer a.Close()
	for query, want := range map[string]string{"axis=0&by=0.1": "a1", "axis=1&by=0.1": "a1: it has 3 elements, and the axis 4", "axis=1&by=0.2": "a2: it neither rises nor falls throughout: 8 at 2 is followed by 7 at 3"} {
		if got := axesOf(t, a, "f=0&e=0&"+query); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// Coordinates of a window come whole, or some of them at equal distances with the last one.
func TestAlong(t *testing.T) {
	const n = 10_007
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i) * float64(i)
	}
	a := answer.New([]answer.Input{input("m.npz", slice(t, values))})
	defer a.Close()
	for _, w := range [][2]int{{0, n}, {5, 6}, {100, 2148}, {100, 2149}, {3000, n}, {7, 7}} {
		head, arrays := frame(t, ask(t, a, "along", fmt.Sprintf("f=0&e=0&x0=%d&x1=%d", w[0], w[1])))
		at := arrays["at"]
		if most := 2049; len(at) > most || len(at) < min(w[1]-w[0], 1000) {
			t.Errorf("%v: %d values", w, len(at))
		}
		step := head["step"].(float64)
		for i, x := range at {
			if arrays["values"][i] != x*x {
				t.Fatalf("%v: the value at %v is %v", w, x, arrays["values"][i])
			}
			if last := i == len(at)-1; i > 0 && !last && x-at[i-1] != step || last && x != float64(w[1]-1) {
				t.Fatalf("%v: position %d is %v with a step of %v", w, i, x, step)
			}
		}
	}
}

// Elements have the names that HDF5 and CF give to their values.
func TestNames(t *testing.T) {
	enum := sample.Array("enum", sample.Of([]int8{0, 1, 7}), "")
	enum.Meaning = &container.Meaning{Enum: []container.EnumMember{{Name: "OFF", Value: 0}, {Name: "ON", Value: 1}}}
	large := sample.Array("large", sample.Of([]uint64{1 << 63, 5}), "")
	large.Meaning = &container.Meaning{Enum: []container.EnumMember{{Name: "TOP", Value: math.MinInt64}}}
	for _, c := range []struct {
		item sample.Item
		want string
	}{
		{enum, "OFF (0) | ON (1) | 7"},
		{large, "TOP (9223372036854775808) | 5"},
		{sample.Array("flags", sample.Of([]int8{2, 1, 3}), "", "flag_values", []int8{1, 2}, "flag_meanings", "sea land"), "land (2) | sea (1) | 3"},
		{sample.Array("bits", sample.Of([]int8{5, 2, 0}), "", "flag_masks", []int8{1, 2, 4}, "flag_meanings", "wet cold dark"), "wet | dark (5) | cold (2) | 0"},
		{sample.Array("both", sample.Of([]int8{1, 2, 3}), "", "flag_masks", []int8{3, 3}, "flag_values", []int8{1, 3}, "flag_meanings", "low high"), "low (1) | 2 | high (3)"},
		{sample.Array("missing", sample.Of([]int8{1, 9, 2}), "", "_FillValue", 9, "flag_values", []int8{1, 2}, "flag_meanings", "a b"), "a (1.0) | nan | b (2.0)"},
		{sample.Array("wrong", sample.Of([]int8{1, 2}), "", "flag_values", []int8{1, 2}, "flag_meanings", "alone"), "1 | 2"},
	} {
		a := answer.New([]answer.Input{memory("netCDF", c.item)})
		defer a.Close()
		var got []string
		for _, row := range askJSON(t, a, "cells", "f=0&e=0&at=y")["cells"].([]any) {
			got = append(got, row.([]any)[0].(string))
		}
		if strings.Join(got, " | ") != c.want {
			t.Errorf("%s: %q, want %q", c.item.Path, got, c.want)
		}
	}
}

// Groups and the file itself have their attributes, and arrays their meaning.
func TestAttributes(t *testing.T) {
	a := answer.New([]answer.Input{written(t, "s.h5", sample.Scan()...), input("m.npz", slice(t, []int8{1}))})
	defer a.Close()
	list := func(query string) string {
		var out []string
		for _, x := range askJSON(t, a, "attributes", query)["attributes"].([]any) {
			x := x.(map[string]any)
			out = append(out, fmt.Sprint(x["name"], "=", x["value"]))
		}
		return strings.Join(out, ", ")
	}
	for query, want := range map[string]string{
		"f=0": "NX_class=NXroot, default=entry", "f=1": "",
		fmt.Sprint("f=0&e=", entryOf(t, a, "entry/plot")): "NX_class=NXdata, signal=counts, axes=['two_theta', 'energy'], wobble_indices=1",
	} {
		if got := list(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	about := askJSON(t, a, "array", fmt.Sprint("f=0&e=", entryOf(t, a, "entry/plot/counts")))
	if about["label"] != "detector counts" || about["units"] != "counts" {
		t.Errorf("%v", about)
	}
}
