//go:build !unix

package source

import (
	"io"
	"io/fs"
	"os"

	"github.com/npygo/npy/format"
)

// OpenFile opens a file, which the caller closes, and reads its header.
func OpenFile(path string, d format.Decoder) (io.Closer, *Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	s, err := Open(f, d)
	if err = notEmpty(err); err != nil {
		f.Close()
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return f, s, nil
}
