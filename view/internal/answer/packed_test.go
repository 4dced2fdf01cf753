package answer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/view/internal/answer"
)

// A packed array is described, and its elements come unpacked or as stored. The Python gives the same elements.
func TestPacked(t *testing.T) {
	number := func(name string, v float64) container.Attribute {
		return container.Attribute{Name: name, Value: slice(t, []float64{v}, []int{}...)}
	}
	for _, x := range []struct {
		name       string
		attributes []container.Attribute
		dtype      string
		want       [4]float64
		command    bool
	}{
		{"scaled", []container.Attribute{number("scale_factor", 0.5), number("add_offset", -3)}, "float64", [4]float64{-2, 7, -7.5, -1.5}, true},
		{"both", []container.Attribute{number("add_offset", 100), number("_FillValue", -9)}, "float64", [4]float64{102, 120, math.NaN(), 103}, true},
		{"missing", []container.Attribute{{Name: "missing_value", Value: slice(t, []int16{20, -9})}}, "float32", [4]float64{2, math.NaN(), math.NaN(), 3}, false},
		{"no packing", []container.Attribute{number("valid_max", 3)}, "int16", [4]float64{2, 20, -9, 3}, true},
		{"a fault", []container.Attribute{{Name: "scale_factor", Value: slice(t, []int16{1, 2})}}, "int16", [4]float64{2, 20, -9, 3}, true},
	} {
		path := filepath.Join(t.TempDir(), "a.h5")
		w, err := hdf5.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		err = w.Add("g/a", slice(t, []int16{2, 20, -9, 3}, 2, 2), x.attributes...)
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := hdf5.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		a := answer.New([]answer.Input{{Name: path, Open: func(context.Context) (*answer.File, error) {
			return answer.FileOf(hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}), f, func() {}), nil
		}}})
		defer a.Close()
		e := 0
		for i, entry := range askJSON(t, a, "entries", "n=10")["entries"].([]any) {
			if entry.(map[string]any)["path"] == "g/a" {
				e = i
			}
		}
		for _, raw := range []string{"", "1"} {
			want, dtype, applied := x.want, x.dtype, x.dtype != "int16"
			if raw != "" {
				want, dtype, applied = [4]float64{2, 20, -9, 3}, "int16", false
			}
			about := askJSON(t, a, "array", fmt.Sprint("e=", e, "&raw=", raw))
			if p, ok := about["packing"].(map[string]any); about["dtype"] != dtype || ok != (x.name != "no packing") || ok && (p["applied"] != applied || p["stored"] != "int16" || p["note"] == "") {
				t.Errorf("%s, raw %q: dtype %v, packing %v", x.name, raw, about["dtype"], about["packing"])
			}
			_, arrays := frame(t, ask(t, a, "picture", fmt.Sprint("e=", e, "&at=y,x&h=2&w=2&raw=", raw)))
			if got := arrays["values"]; !equal(got, want[:], 0) {
				t.Errorf("%s, raw %q: the picture has %v, want %v", x.name, raw, got, want)
			}
			// The difference to itself is of the same elements.
			_, arrays = frame(t, ask(t, a, "picture", fmt.Sprintf("e=%d&at=y,x&h=2&w=2&raw=%s&minus=0.%d", e, raw, e)))
			for i, v := range arrays["values"] {
				if v != 0 && !math.IsNaN(want[i]) {
					t.Errorf("%s, raw %q: the difference of element %d to itself is %v", x.name, raw, i, v)
				}
			}
			code := askJSON(t, a, "code", fmt.Sprint("e=", e, "&at=y,x&raw=", raw))
			if got := code["command"] != ""; got != (x.command || raw != "") || got && strings.Contains(fmt.Sprint(code["command"]), " --scale ") != applied {
				t.Errorf("%s, raw %q: the command is %q", x.name, raw, code["command"])
			}
			if strings.Contains(fmt.Sprint(code["go"]), "netcdf.Masked") != applied {
				t.Errorf("%s, raw %q: the Go is %q", x.name, raw, code["go"])
			}
			var got []any
			out := oracle.Module(t, "h5py", "import json, h5py, numpy as np\na = "+fmt.Sprint(code["python"])+"\nprint(json.dumps([None if v != v else v for v in np.asarray(a, float).ravel().tolist()]))")
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				f, ok := v.(float64)
				if ok == math.IsNaN(want[i]) || ok && f != want[i] {
					t.Errorf("%s, raw %q: %s gives %v, want %v", x.name, raw, code["python"], got, want)
					break
				}
			}
		}
	}
}

// equal reports whether numbers differ by at most a tolerance. NaN equals NaN.
func equal(a, b []float64, tolerance float64) bool {
	for i := range a {
		if i >= len(b) || !(math.Abs(a[i]-b[i]) <= tolerance) && !(a[i] != a[i] && b[i] != b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}
