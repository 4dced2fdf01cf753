// Package sample writes the files that tests of the page look at.
package sample

import (
	"fmt"
	"math"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/netcdf"
)

// An Item is an array of a file, or a group without one. The path "" stands for the file itself.
type Item struct {
	container.Entry
	Array      *npy.Array
	Attributes []container.Attribute
}

// Array returns an item with attributes as [Attributes] has them.
func Array(path string, a *npy.Array, dims string, attributes ...any) Item {
	x := Item{Entry: container.Entry{Path: path}, Array: a, Attributes: Attributes(attributes...)}
	if dims != "" {
		x.Dims = strings.Fields(dims)
	}
	return x
}

// Group returns a group with attributes as [Attributes] has them.
func Group(path string, attributes ...any) Item {
	return Item{Entry: container.Entry{Path: path, Group: true}, Attributes: Attributes(attributes...)}
}

// Of returns an array of elements. It panics if the shape does not fit them.
func Of[T npy.Element](data []T, shape ...int) *npy.Array { return must(npy.FromSlice(data, shape...)) }

// Attributes returns attributes, of pairs of a name and a value: a text, texts, a number or numbers.
func Attributes(pairs ...any) (out []container.Attribute) {
	for i := 0; i < len(pairs); i += 2 {
		a := container.Attribute{Name: pairs[i].(string)}
		switch v := pairs[i+1].(type) {
		case string:
			a.Value = must(must(npy.FromObjects([]any{v})).Reshape())
		case []string:
			all := make([]any, len(v))
			for k := range v {
				all[k] = v[k]
			}
			a.Value = must(npy.FromObjects(all))
		case float64:
			a.Value = must(Of([]float64{v}).Reshape())
		case int:
			a.Value = must(Of([]int32{int32(v)}).Reshape())
		case []int8:
			a.Value = Of(v)
		default:
			panic(fmt.Sprintf("sample: an attribute of type %T", v))
		}
		out = append(out, a)
	}
	return out
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Write writes a file of netCDF or HDF5, by the ending of its name.
func Write(path string, items ...Item) error {
	var w container.Writer
	var err error
	if strings.HasSuffix(path, ".nc") {
		w, err = netcdf.Create(path)
	} else {
		w, err = hdf5.Create(path)
	}
	if err != nil {
		return err
	}
	for _, x := range items {
		if x.Array != nil {
			x.DType, x.Shape = x.Array.DType(), x.Array.Shape()
		}
		a, err := w.Begin(x.Entry, x.Attributes)
		if err != nil {
			return err
		}
		if x.Array == nil {
			continue
		}
		if err := a.Write(x.Array); err != nil {
			return err
		}
		if err := a.Close(); err != nil {
			return err
		}
	}
	return w.Close()
}

// Ramp returns n numbers from low on, step apart.
func Ramp(n int, low, step float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = low + step*float64(i)
	}
	return out
}

// The sizes of the arrays of Climate and of Scan.
const (
	Months, Lats, Lons = 24, 37, 72
	ScanY, ScanX       = 40, 60
)

// Kelvin returns the temperature of Climate.
func Kelvin(month, lat, lon int) float64 {
	if month == 0 {
		return math.NaN() // nothing is known of the first month
	}
	south := float64(lat)*5 - 90
	season := 12 * math.Sin(2*math.Pi*float64(month)/12) * south / 90
	return 300 - 50*math.Pow(math.Sin(south*math.Pi/180), 2) + season + 3*math.Sin(float64(lon)/6)
}

// Climate returns a temperature on latitudes from south to north, longitudes and months of a calendar without leap days, after its
// coordinates and a flag for each cell.
func Climate() []Item {
	var tas []float32
	for m := range Months {
		for y := range Lats {
			for x := range Lons {
				tas = append(tas, float32(Kelvin(m, y, x)))
			}
		}
	}
	days := make([]float64, Months)
	lengths := []float64{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	start := 365.0 // 2001-01-01
	for m := range days {
		days[m] = start + lengths[m%12]/2 - 0.5
		start += lengths[m%12]
	}
	flags := make([]int8, Lats*Lons)
	for i := range flags {
		flags[i] = int8(i % 4)
	}
	height := make([]float64, Lats)
	for i := range height {
		height[i] = math.Abs(float64(i) - 18)
	}
	return []Item{
		Group("", "Conventions", "CF-1.8", "title", "A climate of two years", "institution", "nowhere"),
		Array("time", Of(days), "time", "units", "days since 2000-01-01", "calendar", "noleap", "standard_name", "time"),
		Array("lat", Of(Ramp(Lats, -90, 5)), "lat", "units", "degrees_north", "long_name", "latitude"),
		Array("lon", Of(Ramp(Lons, 0, 5)), "lon", "units", "degrees_east", "long_name", "longitude"),
		Array("height", Of(height), "lat", "units", "m"),
		Array("surface", Of(flags, Lats, Lons), "lat lon", "flag_values", []int8{0, 1, 2}, "flag_meanings", "sea land ice"),
		Array("tas", Of(tas, Months, Lats, Lons), "time lat lon", "long_name", "near-surface air temperature", "units", "K", "coordinates", "height"),
	}
}

// Scan returns a plot of NeXus, which the file names as its default, after other arrays. Its y axis falls, and its x axis has a
// coordinate besides that neither rises nor falls.
func Scan() []Item {
	counts := make([]float64, ScanY*ScanX)
	for i := range counts {
		y, x := float64(i/ScanX)-20, float64(i%ScanX)-25
		counts[i] = math.Round(1000 * math.Exp(-(y*y+x*x)/80))
	}
	state := make([]int8, ScanY)
	for i := range state {
		state[i] = int8(i % 3)
	}
	phases := Array("entry/state", Of(state), "")
	phases.Meaning = &container.Meaning{Enum: []container.EnumMember{{Name: "idle", Value: 0}, {Name: "moving", Value: 1}, {Name: "counting", Value: 2}}}
	wobble := make([]float64, ScanX)
	for i := range wobble {
		wobble[i] = math.Sin(float64(i))
	}
	return []Item{
		Group("", "NX_class", "NXroot", "default", "entry"),
		Array("a_log", Of(Ramp(100, 0, 1)), ""),
		Group("entry", "NX_class", "NXentry", "default", "plot"),
		phases,
		Group("entry/plot", "NX_class", "NXdata", "signal", "counts", "axes", []string{"two_theta", "energy"}, "wobble_indices", 1),
		Array("entry/plot/counts", Of(counts, ScanY, ScanX), "", "long_name", "detector counts", "units", "counts"),
		Array("entry/plot/energy", Of(Ramp(ScanX, 7.1, 0.05)), "", "units", "keV"),
		Array("entry/plot/two_theta", Of(Ramp(ScanY, 30, -0.25)), "", "units", "deg", "long_name", "2θ"),
		Array("entry/plot/wobble", Of(wobble), ""),
	}
}

// Colours returns bytes of an image, colour by colour.
func Colours(high, wide int) *npy.Array {
	out := make([]uint8, 0, 3*high*wide)
	for c := range 3 {
		for y := range high {
			for x := range wide {
				d := math.Hypot(float64(x-wide/2), float64(y-high/2)) / float64(high/2)
				out = append(out, uint8(255*[]float64{math.Exp(-d * d), float64(x) / float64(wide), float64(y) / float64(high)}[c]))
			}
		}
	}
	return Of(out, 3, high, wide)
}
