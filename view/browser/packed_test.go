//go:build !purego

package browser

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// written runs a script that writes the file at path with a module, and decodes the JSON that it prints.
func written[T any](t *testing.T, module, file, script string) (path string, out T) {
	t.Helper()
	path = filepath.Join(t.TempDir(), file)
	script = "import sys, json, math\nimport numpy as np\nimport " + module + "\npath = sys.argv[1]\n" + script
	if err := json.Unmarshal(oracle.Module(t, module, script, path), &out); err != nil {
		t.Fatal(err)
	}
	return path, out
}

// floats returns numbers with NaN for null.
func floats(values []*float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		if out[i] = math.NaN(); v != nil {
			out[i] = *v
		}
	}
	return out
}

// Packed elements are shown as the values that they stand for, with NaN for missing ones, as netCDF4 and h5py with xarray's rules
// have them; one button, which is in the address, shows them as stored.
func TestPacked(t *testing.T) {
	type array struct {
		Name           string
		Values, Stored []*float64
	}
	const rows, columns = 6, 8
	const fill = `
rng = np.random.default_rng(3)
stored = {
    "temperature": rng.integers(-3000, 3000, (6, 8)).astype("i2"),
    "counts": rng.integers(0, 200, (6, 8)).astype("i4"),
    "depth": rng.normal(0, 5, (6, 8)).astype("f4"),
}
stored["temperature"][1, 2] = stored["counts"][3, 4] = -9999
stored["depth"][5, 7] = 1e20
attributes = {"temperature": {"scale_factor": 0.01, "add_offset": 273.15}, "counts": {}, "depth": {"missing_value": np.float32(1e20)}}
def listed(x): return [None if isinstance(v, float) and math.isnan(v) else v for v in np.asarray(x, "f8").ravel().tolist()]
`
	const netcdf = fill + `
with netCDF4.Dataset(path, "w", format=FORMAT) as f:
    f.createDimension("y", 6)
    f.createDimension("x", 8)
    for name, x in stored.items():
        v = f.createVariable(name, x.dtype, ("y", "x"), fill_value=None if name == "depth" else -9999)
        v.setncatts(attributes[name])
        v.set_auto_maskandscale(False)
        v[:] = x
with netCDF4.Dataset(path) as f:
    print(json.dumps([{"Name": name, "Values": listed(np.ma.filled(f[name][:].astype("f8"), np.nan)), "Stored": listed(x)} for name, x in stored.items()]))
`
	const hdf5 = fill + `
with h5py.File(path, "w") as f:
    for name, x in stored.items():
        f[name] = x
        f[name].attrs.update(attributes[name])
        if name != "depth": f[name].attrs["_FillValue"] = x.dtype.type(-9999)
with h5py.File(path) as f:
    out = []
    for name in stored:
        x, a = f[name][()], f[name].attrs
        values = np.where(np.isin(x, [a.get("_FillValue", a.get("missing_value"))]), np.nan, x * float(a.get("scale_factor", 1)) + float(a.get("add_offset", 0)))
        out.append({"Name": name, "Values": listed(values), "Stored": listed(x)})
    print(json.dumps(out))
`
	for _, file := range []struct{ name, module, script string }{
		{"three.nc", "netCDF4", "FORMAT = 'NETCDF3_CLASSIC'" + netcdf}, {"four.nc", "netCDF4", "FORMAT = 'NETCDF4'" + netcdf}, {"five.h5", "h5py", hdf5},
	} {
		t.Run(file.name, func(t *testing.T) {
			path, arrays := written[[]array](t, file.module, file.name, file.script)
			p := open(t, serve(t, path))
			p.drawn()
			for _, a := range arrays {
				e := eval[int](p, fmt.Sprintf("fetch('entries?n=100').then((r) => r.json()).then((a) => a.entries.find((x) => x.path === %q).e)", a.Name))
				p.show(fmt.Sprintf("e=%d&view=heatmap&map=grey&clip=0", e))
				sameCells(t, p.heatmap(), floats(a.Values), rows, columns)
				if note := p.text(".packing"); !strings.HasPrefix(note, "applied: ") {
					t.Errorf("%s: the note is %q", a.Name, note)
				}
				// The text of a cell and the statistics are of the same values.
				p.show(fmt.Sprintf("e=%d&view=table", e))
				for y, row := range p.table() {
					for x, text := range row[1:] {
						want := floats(a.Values)[y*columns+x]
						var got float64
						if _, err := fmt.Sscan(text, &got); err != nil || math.Abs(got-want) > 1e-4*math.Abs(want) || math.IsNaN(got) != math.IsNaN(want) {
							t.Errorf("%s: cell %d,%d is %q, want %v", a.Name, y, x, text, want)
						}
					}
				}
				p.wait("/nan\\s*1/.test(document.querySelector('.statistics').innerText)")
				// As stored.
				p.show(fmt.Sprintf("e=%d&view=heatmap&map=grey&clip=0", e))
				eval[bool](p, "([...document.querySelectorAll('.controls button')].find((b) => b.textContent === 'as stored').click(), true)")
				p.awaitState("raw", "1")
				sameCells(t, p.heatmap(), floats(a.Stored), rows, columns)
				if note := p.text(".packing"); !strings.HasPrefix(note, "not applied: ") {
					t.Errorf("%s as stored: the note is %q", a.Name, note)
				}
			}
		})
	}
}
