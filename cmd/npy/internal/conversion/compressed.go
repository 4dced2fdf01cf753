package conversion

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
)

// Compress compresses what write writes.
func Compress(c *input.Compression, to io.Writer, write func(io.Writer) error) error {
	z, err := c.NewWriter(to)
	if err != nil {
		return err
	}
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

// compressed converts to a file that is compressed as a whole. After an error there is no file.
func (x Job) compressed(ctx context.Context) error {
	path, c := x.Out, x.Compression
	write := func(w io.Writer) error {
		return Compress(c, w, func(w io.Writer) error {
			part := x
			part.Out, part.Stdout, part.Compression, part.name = "-", w, nil, path
			return part.Run(ctx)
		})
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
