package netcdf_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/container/all"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/netcdf"
)

// Only HDF5 files with the marks of netCDF-4 are netCDF by their content. Dimension scales are enough, as netCDF-C names them; a
// file with another name than .nc is taken for HDF5 if its scales have other names.
func TestFormatOfContent(t *testing.T) {
	formats := container.Formats{netcdf.Format(netcdf.Decoder{}, netcdf.Encoder{}), hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{})}
	for path, want := range map[string]string{
		"testdata/enhanced.nc": "netCDF", "testdata/model.nc": "netCDF", "testdata/cdf1.nc": "netCDF",
		"../cmd/npy/testdata/containers/old.nc": "netCDF", "../cmd/npy/testdata/containers/keep.h5": "HDF5",
		"../hdf5/testdata/groups-earliest.h5": "HDF5", "../hdf5/testdata/groups-latest.h5": "HDF5", "testdata/gen.py": "",
	} {
		r := bytes.NewReader(must(os.ReadFile(path)))
		_, f, err := formats.NewNamedReader(r, r.Size(), "")
		if f.Name != want || (err == nil) != (want != "") {
			t.Errorf("%s is %q, want %q (%v)", path, f.Name, want, err)
		}
		if _, f, _ := formats.NewNamedReader(r, r.Size(), "X.NC"); want != "" && f.Name != "netCDF" {
			t.Errorf("%s named .nc is %q", path, f.Name)
		}
		c, err := formats[:1].NewReader(r, r.Size())
		if _, ok := c.(*netcdf.Reader); ok != (want != "") {
			t.Errorf("%s without the format HDF5: %T, %v", path, c, err)
		}
	}
}

// An HDF5 file is opened once to find out whether it is netCDF-4.
func TestOpenedOnce(t *testing.T) {
	formats := all.Formats()
	for _, path := range []string{"testdata/enhanced.nc", "../hdf5/testdata/groups-latest.h5"} {
		data := must(os.ReadFile(path))
		var alone, among counter
		alone.Reader, among.Reader = bytes.NewReader(data), bytes.NewReader(data)
		must(hdf5.NewReader(&alone, int64(len(data)))).IsNetCDF()
		must(formats.NewReader(&among, int64(len(data))))
		if few := 4; among.reads > alone.reads+few*len(formats) {
			t.Errorf("%s: %d reads among other formats, %d alone", path, among.reads, alone.reads)
		}
		if head := 1024 * len(formats); among.bytes > alone.bytes+head {
			t.Errorf("%s: %d bytes read among other formats, %d alone", path, among.bytes, alone.bytes)
		}
	}
}

// A counter counts reads.
type counter struct {
	*bytes.Reader
	reads, bytes int
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.Reader.ReadAt(p, off)
	c.reads, c.bytes = c.reads+1, c.bytes+n
	return n, err
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
