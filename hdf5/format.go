package hdf5

import (
	"io"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/hdf5/internal/writing"
	"github.com/npygo/npy/internal/readonly"
)

// Format returns the format HDF5, read with the limits of d, and written by an [Encoder] with the settings of
// container.WriteOptions.
func Format(d Decoder) container.Format {
	f := container.Format{
		Name:    "HDF5",
		Endings: []string{".h5", ".hdf5", ".he5", ".h5ad", ".hdf"},
		Is:      structure.IsHDF5,
		Open:    func(r io.ReaderAt, size int64) (container.Container, error) { return d.NewReader(r, size) },
		Has:     writing.Features,
	}
	if !readonly.Build {
		f.New = func(w io.WriteSeeker, o container.WriteOptions) (container.Writer, error) {
			return Encoder{Store: o.Store, Level: o.Level, Zstd: o.Zstd, Workers: o.Workers, Lost: o.Lost}.NewWriter(w)
		}
	}
	return f
}
