package netcdf

import (
	"fmt"
	"io"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/readonly"
)

// Format returns netCDF files as a format of containers, read with the limits of d and written as netCDF-3 with e. HDF5
// files that are not netCDF-4 are not of this format.
func Format(d Decoder, e Encoder) container.Format {
	f := container.Format{
		Name:    "netCDF",
		Endings: []string{".nc", ".cdf", ".nc3"},
		Is: func(r io.ReaderAt, size int64) bool {
			_, ok := versionOf(r, size)
			return ok || isEnhanced(d, r, size)
		},
		Open: func(r io.ReaderAt, size int64) (container.Container, error) {
			f, err := d.NewReader(r, size)
			if err != nil {
				return nil, err
			}
			return f, nil
		},
		Losses: losses,
	}
	if !readonly.Build {
		f.New = func(w io.WriteSeeker, _ container.WriteOptions) (container.Writer, error) {
			return e.NewWriter(w), nil
		}
	}
	return f
}

// losses returns what a netCDF-3 file does not hold.
func losses(e container.Entry, attributes []container.Attribute) []string {
	var lost []string
	if e.Group && e.Path != "" {
		if len(attributes) > 0 {
			return []string{fmt.Sprintf("attributes of a group (%d)", len(attributes))}
		}
		return nil
	}
	for _, a := range attributes {
		if a.Err != nil {
			continue
		}
		if _, ok := encodeAttribute(a.Name, a.Value, 0); !ok {
			lost = append(lost, "attribute "+a.Name)
		}
	}
	if e.Group || e.Path == "" {
		return lost
	}
	if name := validName(e.Path); name != e.Path {
		lost = append(lost, fmt.Sprintf("the path %s, which becomes the name %s", e.Path, name))
	}
	switch t := e.DType; {
	case t.Kind() == dtype.KindBool:
		lost = append(lost, "that bool is not a number (bytes are written, with the attribute dtype)")
	case t.Kind() == dtype.KindFloat && t.ItemSize() == 2:
		lost = append(lost, "float16 (float32 is written)")
	case t.Kind() == dtype.KindDatetime, t.Kind() == dtype.KindTimedelta:
		lost = append(lost, fmt.Sprintf("that %s are times (integers are written, with units)", t.Name()))
	}
	return lost
}
