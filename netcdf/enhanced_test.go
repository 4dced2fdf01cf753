package netcdf_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/netcdf"
)

// Only HDF5 files with the marks of netCDF-4 are netCDF by their content. Dimension scales are enough, as netCDF-C names them; a
// file with another name than .nc is taken for HDF5 if its scales have other names.
func TestIs(t *testing.T) {
	f := netcdf.Format(netcdf.Decoder{}, netcdf.Encoder{})
	for path, want := range map[string]bool{
		"testdata/enhanced.nc": true, "testdata/model.nc": true, "testdata/cdf1.nc": true,
		"../cmd/npy/testdata/containers/old.nc": true, "../cmd/npy/testdata/containers/keep.h5": false,
		"../hdf5/testdata/groups-earliest.h5": false, "../hdf5/testdata/groups-latest.h5": false, "testdata/gen.py": false,
	} {
		r := must(os.Open(path))
		size := must(r.Stat()).Size()
		if got := f.Is(r, size); got != want {
			t.Errorf("%s is netCDF: %t", path, got)
		}
		if got := f.May(r, size); got != (strings.HasSuffix(path, ".h5") || want && path != "testdata/cdf1.nc") {
			t.Errorf("%s may be netCDF: %t", path, got)
		}
		r.Close()
	}
}

func TestEnhanced(t *testing.T) {
	f := must(netcdf.Open("testdata/enhanced.nc"))
	if e := must(f.Entry("lon")); !slices.Equal(e.Dims, []string{"lon", "lat"}) {
		t.Errorf("the dimensions of lon are %q", e.Dims)
	}
	src := must(netcdf.Scaled(must(f.Source("t")), must(f.Attributes("t"))))
	last := must(src.Select(npy.At(-1), npy.At(-1), npy.At(-1)))
	if v := must(npy.As[float64](must(last.ReadAll(context.Background())))); v.At() != 17.5 {
		t.Errorf("t[-1, -1, -1] is %g, want 17.5", v.At())
	}
	f.Close()
	if _, err := src.ReadAll(context.Background()); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: error %v", err)
	}
}
