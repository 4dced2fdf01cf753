package conversion

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
)

// compressed converts to a file that is compressed as a whole. After an error there is no file.
func (x Job) compressed(ctx context.Context) error {
	path, c := x.Out, x.Compression
	write := func(w io.Writer) error {
		z, err := c.NewWriter(w)
		if err != nil {
			return err
		}
		part := x
		part.Out, part.Stdout, part.Compression, part.name = "-", z, nil, path
		if err := part.Run(ctx); err != nil {
			return err
		}
		return z.Close()
	}
	var err error
	if path == os.DevNull {
		err = write(io.Discard)
	} else {
		err = x.Opener.URLs.Replace(path, write)
	}
	var e diagnose.FileError
	if errors.As(err, &e) {
		return e
	}
	return diagnose.Of(path, err)
}
