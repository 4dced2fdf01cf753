package matlab

import (
	"io"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/readonly"
)

// Format returns MAT-files as a format of containers, read with the limits of d and written with e, whose Store, Level, Workers and
// Lost come from [container.WriteOptions].
func Format(d Decoder, e Encoder) container.Format {
	f := container.Format{
		Name:    "MATLAB",
		Endings: []string{".mat"},
		Is: func(r io.ReaderAt, size int64) bool {
			_, _, err := detect(r, size)
			return err == nil
		},
		Open: func(r io.ReaderAt, size int64) (container.Container, error) {
			m, err := d.NewReader(r, size)
			if err != nil {
				return nil, err
			}
			return m, nil
		},
		Has: features,
	}
	if !readonly.Build {
		f.New = func(w io.WriteSeeker, o container.WriteOptions) (container.Writer, error) {
			e.Store, e.Level, e.Workers, e.Lost = o.Store, o.Level, o.Workers, o.Lost
			m, err := e.NewWriter(w)
			if err != nil {
				return nil, err
			}
			return m, nil
		}
	}
	return f
}
