package matlab

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/readonly"
)

// Format returns MAT-files as a format of containers, read with the limits of d.
func Format(d Decoder) container.Format {
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
		Losses: losses,
	}
	if !readonly.Build {
		f.New = func(w io.WriteSeeker, o container.WriteOptions) (container.Writer, error) {
			m, err := NewWriter(w, o)
			if err != nil {
				return nil, err
			}
			return m, nil
		}
	}
	return f
}

// losses returns what a MAT-file of version 5 does not hold.
func losses(e container.Entry, attributes []container.Attribute) []string {
	var lost []string
	if len(attributes) > 0 {
		lost = append(lost, fmt.Sprintf("attributes (%d)", len(attributes)))
	}
	if slices.ContainsFunc(e.Dims, func(name string) bool { return name != "" }) {
		lost = append(lost, "the names of the dimensions")
	}
	if k := e.DType.Kind(); k == dtype.KindDatetime || k == dtype.KindTimedelta {
		lost = append(lost, fmt.Sprintf("that %s are times (integers are written)", e.DType.Name()))
	}
	name := path.Base(e.Path)
	if _, err := strconv.ParseUint(name, 10, 32); e.Path != "" && validName(name) != name && (err != nil || !strings.Contains(e.Path, "/")) {
		lost = append(lost, fmt.Sprintf("the name %q, which becomes %s", name, validName(name)))
	}
	return lost
}
