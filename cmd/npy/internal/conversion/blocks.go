package conversion

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"syscall"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/remote"
)

// copiesText reports whether In is text or an image that becomes an .npy file without being held in memory.
func (x Job) copiesText() bool {
	return x.From != Raw && x.To == NPY && x.isFile() && x.Order != npy.FortranOrder && x.In.Index == nil && !x.Opener.Changes()
}

// copyFrom makes an .npy file of text or an image. It does not hold the array in memory if the format can be read in
// parts.
func (x Job) copyFrom(ctx context.Context) error {
	f, err := x.Opener.Bytes(ctx, x.In)
	if err != nil {
		return diagnose.Of(x.In.Path, err)
	}
	defer f.Close()
	report, err := x.copyText(ctx, input.Until(ctx, f), x.Opener.TextOptions(x.readOptions(), f))
	var pe *fs.PathError
	switch {
	case errors.As(err, &pe), diagnose.OfWriting(err):
		return diagnose.Of(x.outName(), err)
	case err != nil:
		return diagnose.Of(x.In.Path, diagnose.Explain(err))
	}
	x.report(report)
	return nil
}

// copyText writes the array of a text or an image to Out.
func (x Job) copyText(ctx context.Context, from io.Reader, o convert.ReadOptions) (report convert.Report, err error) {
	if !remote.IsURL(x.Out) {
		return x.Formats.CopyFileFrom(ctx, x.Out, from, x.From, o)
	}
	err = x.Opener.URLs.Write(x.Out, func(w io.Writer) error {
		report, err = x.Formats.CopyFrom(ctx, w, from, x.From, o)
		return err
	})
	return report, err
}

// blame returns err as an error of In if err is about reading In, else as an error of Out.
func (x Job) blame(err error) error {
	if err == nil || diagnose.IsBrokenPipe(err) {
		return err
	}
	if !x.isOfIn(err) {
		return diagnose.Of(x.outName(), err)
	}
	if errno := syscall.Errno(0); x.casts() && !errors.As(err, &errno) {
		err = withoutDType(err)
	}
	return diagnose.Of(x.In.Name(), diagnose.Explain(err))
}

// isOfIn reports whether an error of writing Out is about reading In.
func (x Job) isOfIn(err error) bool {
	var we *container.WriteError
	var pe *fs.PathError
	var ze *npz.Error
	var he *hdf5.Error
	var me *matlab.Error
	switch {
	case diagnose.OfWriting(err):
		return false
	case !x.output(x.Version).IsContainer() && (errors.As(err, &he) || errors.As(err, &me)):
		return true
	case diagnose.Names(err, x.In.Path), errors.As(err, &ze), diagnose.OfReading(err):
		return true
	case errors.As(err, &we), errors.As(err, &pe), diagnose.IsFull(err):
		return false
	}
	return x.In.Container != nil && (x.To == NPY || x.output(x.Version).IsContainer())
}

// openRaw opens the bytes of In as the elements of an array. A stream is kept in a temporary file.
func (x Job) openRaw(ctx context.Context) (*input.Array, error) {
	o := convert.RawOptions{Offset: x.Offset, DType: x.DType, Shape: x.Shape}
	f, err := x.Opener.Bytes(ctx, x.In)
	if err != nil {
		return nil, err
	}
	done := func() { f.Close() }
	at, ok := f.(io.ReaderAt)
	size := input.SizeOf(f)
	if !ok || size == 0 {
		if at, size, done, err = x.Opener.KeepBytes(ctx, f); err != nil {
			return nil, err
		}
	}
	a, err := convert.OpenRaw(at, size, o)
	if err != nil {
		done()
		return nil, err
	}
	return input.Part(a, x.In, done)
}

// asIs reports whether rows that satisfy a condition keep their dtype and order and go from an array to an .npy file.
func (x Job) asIs() bool {
	return x.Opener.Where != "" && x.In.Index == nil && x.To == NPY && x.isFile() && !remote.IsURL(x.Out) && !x.DType.IsValid() && x.Order == npy.KeepOrder && x.Version == (format.Version{})
}

// streamRows writes the chosen rows of a stream as they arrive, in little memory. It reports false, and has read nothing,
// if In can be read more than once.
func (x Job) streamRows(ctx context.Context) (done bool, err error) {
	if x.Opener.IsRegular(x.In) {
		return false, nil
	}
	o := x.Opener
	o.Where = ""
	src, err := o.Once(ctx, x.In)
	if err != nil {
		return true, diagnose.Of(x.In.Name(), err)
	}
	defer src.Close()
	shape := src.Shape()
	if len(shape) == 0 || src.DType().HasObject() {
		chosen, err := x.Opener.Choose(ctx, src.Source)
		if err != nil {
			return true, diagnose.Of(x.In.Name(), err)
		}
		whole, err := chosen.ReadAll(ctx)
		if err != nil {
			return true, x.blame(err)
		}
		return true, diagnose.Of(x.outName(), x.encoder(format.Version{}).WriteFile(x.Out, whole))
	}
	c, err := query.Compile(x.Opener.Where, src.DType(), shape[1:]...)
	if err != nil {
		return true, diagnose.Of(x.In.Name(), diagnose.Explain(err))
	}
	n, err := c.WriteFile(ctx, x.Out, src.Source)
	if err != nil {
		return true, x.blame(err)
	}
	x.Opener.Found(n, shape[0])
	return true, nil
}
