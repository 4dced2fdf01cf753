package netcdf

import (
	"io"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/readonly"
)

// Format returns netCDF files as a format of containers, read with the limits of d and written as netCDF-3 with e. It extends
// HDF5: beside [hdf5.Format], HDF5 files are of this format if they have marks of netCDF-4, [hdf5.Reader.IsNetCDF], or a name with
// one of the endings. The decoder of hdf5.Format sets their limits. Alone, this format opens all HDF5 files.
func Format(d Decoder, e Encoder) container.Format {
	f := container.Format{
		Name:    "netCDF",
		Endings: []string{".nc", ".cdf", ".nc3"},
		Is: func(r io.ReaderAt, size int64) bool {
			_, ok := versionOf(r, size)
			return ok || isHDF5(d, r, size)
		},
		Open: func(r io.ReaderAt, size int64) (container.Container, error) {
			f, err := d.NewReader(r, size)
			if err != nil {
				return nil, err
			}
			return f, nil
		},
		Extend: func(c container.Container, named bool) (container.Container, bool) {
			h, ok := c.(*hdf5.Reader)
			if !ok || !named && !h.IsNetCDF() {
				return nil, false
			}
			return &Reader{&enhanced{Reader: h}, h}, true
		},
		Has: features,
	}
	if !readonly.Build {
		f.New = func(w io.WriteSeeker, o container.WriteOptions) (container.Writer, error) {
			if o.Lost != nil {
				e.Lost = o.Lost
			}
			return e.NewWriter(w)
		}
	}
	return f
}
