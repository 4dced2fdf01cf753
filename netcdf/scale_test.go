package netcdf_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/netcdf"
)

func TestScaled(t *testing.T) {
	f, err := netcdf.Open("testdata/cdf1.nc")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	src, err := netcdf.Scaled(must(f.Source("packed")), must(f.Attributes("packed")))
	if err != nil {
		t.Fatal(err)
	}
	a := must(src.ReadAll(context.Background()))
	v := must(npy.As[float32](a)).ToSlice()
	if v[0] != 20 || v[1] != 20.5 || !math.IsNaN(float64(v[2])) {
		t.Errorf("%v, want 20, 20.5, NaN", v)
	}
}

// Scaled makes the same of packed values as netCDF4, with NaN for masked values.
func TestScaledLive(t *testing.T) {
	type packed struct {
		Type          string
		Scale, Offset string
		Values        []float64
		Kind          string
		Size          int
	}
	var all []packed
	script := `
import netCDF4, os, tempfile
out = []
data = [1, -2, 3, 100, -100, 7]
for t in ("i1", "i2", "i4", "f4", "f8"):
    for s, o in (("f4", "f4"), ("f8", "f8"), ("f4", ""), ("", "f8"), ("f8", "")):
        with tempfile.TemporaryDirectory() as d:
            with netCDF4.Dataset(d + "/x.nc", "w", format="NETCDF3_CLASSIC") as f:
                f.createDimension("x", len(data))
                v = f.createVariable("v", t, ("x",), fill_value=100)
                v.set_auto_maskandscale(False)
                if s: v.scale_factor = np.dtype(s).type(0.1)
                if o: v.add_offset = np.dtype(o).type(20.3)
                v[:] = data
            with netCDF4.Dataset(d + "/x.nc") as f:
                x = f["v"][:]
                out.append({"Type": t, "Scale": s, "Offset": o, "Kind": x.dtype.kind, "Size": x.dtype.itemsize, "Values": [-1e30 if m else float(y) for y, m in zip(x.data, np.ma.getmaskarray(x))]})
print(json.dumps(out))`
	if err := json.Unmarshal(oracle.Module(t, "netCDF4", script), &all); err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.Type == "f4" && (p.Scale == "f8" || p.Offset == "f8") {
			continue // NumPy 1 makes float32 of float32 and a number of float64, NumPy 2 float64
		}
		stored := must(must(npy.FromSlice([]float64{1, -2, 3, 100, -100, 7})).Cast(must(dtype.Parse(">"+p.Type)), npy.UnsafeCasting))
		attributes := []container.Attribute{{Name: "_FillValue", Value: must(npy.FromSlice([]int8{100}, []int{}...))}}
		for name, x := range map[string]struct {
			t string
			v float64
		}{"scale_factor": {p.Scale, 0.1}, "add_offset": {p.Offset, 20.3}} {
			if x.t != "" {
				number := must(must(npy.FromSlice([]float64{x.v}, []int{}...)).Cast(must(dtype.Parse(x.t)), npy.UnsafeCasting))
				attributes = append(attributes, container.Attribute{Name: name, Value: number})
			}
		}
		src, err := netcdf.Scaled(stored, attributes)
		if err != nil {
			t.Fatal(err)
		}
		got := must(npy.As[float64](must(must(src.ReadAll(context.Background())).AsType(dtype.Float64)))).ToSlice()
		for i, x := range got {
			if math.IsNaN(x) {
				got[i] = -1e30
			}
		}
		if !slices.Equal(got, p.Values) || src.DType().ItemSize() != p.Size {
			t.Errorf("%s with %s and %s: dtype %s, %v, want %s%d, %v", p.Type, p.Scale, p.Offset, src.DType(), got, p.Kind, p.Size, p.Values)
		}
	}
}

func TestScaledAsIs(t *testing.T) {
	ints := must(npy.FromSlice([]int16{1, -1}))
	fill := container.Attribute{Name: "_FillValue", Value: must(npy.FromSlice([]int16{-1}, []int{}...))}
	if src := must(netcdf.Scaled(ints, []container.Attribute{fill})); src != npy.Source(ints) {
		t.Errorf("integers with a fill value became %s", src.DType())
	}
	unsigned := container.Attribute{Name: "_Unsigned", Value: text("true")}
	src := must(netcdf.Scaled(ints, []container.Attribute{unsigned}))
	if v := must(npy.As[uint16](must(src.ReadAll(context.Background())))).ToSlice(); !slices.Equal(v, []uint16{1, 65535}) {
		t.Errorf("_Unsigned: %v", v)
	}
	if _, err := netcdf.Scaled(ints, []container.Attribute{{Name: "scale_factor", Value: text("x")}}); err == nil {
		t.Error("a scale_factor of text: no error")
	}
}

// Masked makes NaN of the missing elements of integers too.
func TestMasked(t *testing.T) {
	fill := func(v any) container.Attribute {
		switch v := v.(type) {
		case int8:
			return container.Attribute{Name: "_FillValue", Value: must(npy.FromSlice([]int8{v}, []int{}...))}
		case int16:
			return container.Attribute{Name: "_FillValue", Value: must(npy.FromSlice([]int16{v}, []int{}...))}
		case []float64:
			return container.Attribute{Name: "missing_value", Value: must(npy.FromSlice(v))}
		}
		panic(v)
	}
	nan := math.NaN()
	for _, x := range []struct {
		name       string
		src        npy.Source
		attributes []container.Attribute
		want       []float64
		dtype      string
	}{
		{"int16", must(npy.FromSlice([]int16{1, -9, 3})), []container.Attribute{fill(int16(-9))}, []float64{1, nan, 3}, "float32"},
		{"int32", must(npy.FromSlice([]int32{1 << 30, -9, 3})), []container.Attribute{fill(int16(-9))}, []float64{1 << 30, nan, 3}, "float64"},
		{"two missing values", must(npy.FromSlice([]int16{1, -9, 3})), []container.Attribute{fill([]float64{1, 3})}, []float64{nan, -9, nan}, "float32"},
		{"a value that the dtype lacks", must(npy.FromSlice([]uint8{1, 247, 3})), []container.Attribute{fill(int16(-9))}, []float64{1, 247, 3}, "uint8"},
		{"unsigned", must(npy.FromSlice([]int8{1, -9, 3})), []container.Attribute{{Name: "_Unsigned", Value: text("true")}, fill(int8(-9))}, []float64{1, nan, 3}, "float32"},
		{"float64 of float32", must(npy.FromSlice([]float32{1, 1e20, 3})), []container.Attribute{fill([]float64{1e20})}, []float64{1, nan, 3}, "float32"},
		{"NaN", must(npy.FromSlice([]float64{1, 2, 3})), []container.Attribute{fill([]float64{nan})}, []float64{1, 2, 3}, "float64"},
		{"valid_range", must(npy.FromSlice([]int16{1, 2, 3})), []container.Attribute{{Name: "valid_range", Value: must(npy.FromSlice([]int16{1, 2}))}}, []float64{1, 2, 3}, "int16"},
	} {
		src, changed, err := netcdf.Masked(x.src, x.attributes)
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if same := src == x.src; changed == same || src.DType().Name() != x.dtype {
			t.Errorf("%s: dtype %s, want %s; changed %v", x.name, src.DType().Name(), x.dtype, changed)
		}
		got := must(npy.As[float64](must(must(src.ReadAll(t.Context())).Cast(dtype.Float64, npy.UnsafeCasting)))).ToSlice()
		if !slices.EqualFunc(got, x.want, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}
