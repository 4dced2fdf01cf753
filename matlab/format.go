package matlab

import (
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
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

// features is what a MAT-file has. Text is decoded, so that its character set is kept.
const features = container.FortranOrder | container.Charsets

// losses returns what a MAT-file does not hold of an entry. has is what its version has, and cells says that numbers are the members
// of cells.
func losses(e container.Entry, attributes []container.Attribute, has container.Feature, cells bool) []container.Loss {
	lost := container.LossesOf(e, attributes, has)
	if k := e.DType.Kind(); !e.Group && (k == dtype.KindDatetime || k == dtype.KindTimedelta) {
		lost = append(lost, container.Loss{Path: e.Path, What: "that times are no numbers", Detail: "integers are written in place of " + e.DType.Name()})
	}
	name := path.Base(e.Path)
	if _, err := strconv.ParseUint(name, 10, 32); e.Path != "" && validName(name) != name && !(cells && err == nil && strings.Contains(e.Path, "/")) {
		lost = append(lost, container.Loss{Path: e.Path, What: "the name", Detail: fmt.Sprintf("%q becomes %s", name, validName(name))})
	}
	return lost
}
