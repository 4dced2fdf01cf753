package hdf5

import (
	"io"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/readonly"
)

// Format returns the format HDF5, read with the limits of d and written with e, whose Store, Level, Zstd, Workers and Lost come from
// [container.WriteOptions].
func Format(d Decoder, e Encoder) container.Format {
	f := container.Format{
		Name:    "HDF5",
		Endings: []string{".h5", ".hdf5", ".he5", ".h5ad", ".hdf"},
		Is:      isHDF5,
		Open:    func(r io.ReaderAt, size int64) (container.Container, error) { return d.NewReader(r, size) },
		Has:     features,
	}
	if !readonly.Build {
		f.New = func(w io.WriteSeeker, o container.WriteOptions) (container.Writer, error) {
			e.Store, e.Level, e.Zstd, e.Workers, e.Lost = o.Store, o.Level, o.Zstd, o.Workers, o.Lost
			return e.NewWriter(w)
		}
	}
	return f
}
