package conversion

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// copy converts without holding the array in memory. It reports false if it cannot: In is not a file of plain
// elements, or Out is an archive.
func (x Job) copy(ctx context.Context) (done bool, err error) {
	if x.From != Raw && x.From != NPY {
		if x.To != NPY || !x.isFile() || x.Order == npy.FortranOrder || x.In.Index != nil {
			return false, nil
		}
		return true, x.copyFrom(ctx)
	}
	if x.To == NPZ || x.In.Member != "" {
		return false, nil
	}
	src, err := x.open()
	if src == nil || err != nil {
		return err != nil, diagnose.Of(x.In.Path, err)
	}
	defer src.Close()
	progress := x.Progress(diagnose.FileName(x.Out))
	defer progress.Clear()
	if x.To != NPY && x.To != Raw {
		t, err := x.becomes(src.DType())
		if err != nil {
			return true, diagnose.Of(x.In.Path, err)
		}
		if err = x.blame(x.copyText(ctx, src.Source, progress.Set)); err == nil {
			progress.Clear()
			x.warnLosses(t, src.Shape())
		}
		return true, err
	}
	return true, x.blame(x.copyArray(ctx, src, progress.Set))
}

// copyArray writes an .npy file, or raw bytes.
func (x Job) copyArray(ctx context.Context, src *input.Array, progress func(done, total int64)) error {
	c := npy.Copier{DType: src.DType(), Order: x.Order, Memory: x.Memory, Progress: progress}
	if x.From == NPY && x.DType.IsValid() {
		c.DType = x.DType
	}
	if x.To == Raw {
		return x.writeRaw(ctx, src.Source, c)
	}
	c.Encoder.Version = x.versionFor(format.Header{DType: c.DType, Shape: src.Shape(), Version: src.Header.Version})
	if x.Out == "-" {
		return c.Write(ctx, x.Stdout, src.Source)
	}
	return c.WriteFile(ctx, x.Out, src.Source)
}

// becomes returns the dtype that the elements of In are converted to.
func (x Job) becomes(t dtype.Type) (dtype.Type, error) {
	empty, err := npy.New(t, 0)
	if err == nil && x.From != Raw {
		empty, err = x.cast(empty)
	}
	if err != nil {
		return t, err
	}
	return empty.DType(), nil
}

func (x Job) copyText(ctx context.Context, src npy.Source, progress func(done, total int64)) error {
	o := x.writeOptions()
	o.Memory, o.Progress = x.Memory, progress
	if x.From != Raw {
		o.DType = x.DType
	}
	if x.Out == "-" {
		return x.Formats.Write(ctx, x.Stdout, x.To, src, o)
	}
	return x.Formats.WriteFile(ctx, x.Out, x.To, src, o)
}

// copyFrom makes an .npy file of text or an image. It does not hold the array in memory if the format can be read in
// parts.
func (x Job) copyFrom(ctx context.Context) error {
	f, err := x.Opener.Bytes(x.In)
	if err != nil {
		return diagnose.Of(x.In.Path, err)
	}
	defer f.Close()
	report, err := x.Formats.CopyFileFrom(x.Out, input.Until(ctx, f), x.From, x.readOptions(f))
	var pe *fs.PathError
	switch {
	case errors.As(err, &pe):
		return diagnose.Of(x.Out, err)
	case err != nil:
		return diagnose.Of(x.In.Path, diagnose.Explain(err))
	}
	x.report(report)
	return nil
}

// blame returns err as an error of In if err names In, else as an error of Out.
func (x Job) blame(err error) error {
	if err == nil || diagnose.IsBrokenPipe(err) {
		return err
	}
	if !diagnose.Names(err, x.In.Path) {
		return diagnose.Of(x.Out, err)
	}
	if errno := syscall.Errno(0); x.DType.IsValid() && !errors.As(err, &errno) {
		err = withoutDType(err)
	}
	return diagnose.Of(x.In.Path, err)
}

// open opens In, or returns nil if In cannot be read in parts.
func (x Job) open() (*input.Array, error) {
	if x.From != Raw {
		return x.Opener.InParts(x.In)
	}
	f, err := x.openRaw()
	if err != nil {
		return nil, err
	}
	return input.Part(f, x.In, func() { f.Close() })
}

// openRaw opens the bytes of In as the elements of an array.
func (x Job) openRaw() (*npy.File, error) {
	o := convert.RawOptions{Offset: x.Offset, DType: x.DType, Shape: x.Shape}
	f, err := x.Opener.Bytes(x.In)
	if err != nil {
		return nil, err
	}
	if file, ok := f.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return convert.OpenRaw(file, info.Size(), o) // the file is closed when the program ends
		}
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return convert.OpenRaw(bytes.NewReader(data), int64(len(data)), o)
}

// writeRaw writes the elements of an array without a header.
func (x Job) writeRaw(ctx context.Context, src npy.Source, c npy.Copier) error {
	if src.DType().HasObject() {
		return errors.New("raw bytes cannot hold Python objects; write .npy, or text")
	}
	if x.Out == "-" {
		return convert.WriteRaw(ctx, x.Stdout, src, c)
	}
	return convert.WriteRawFile(ctx, x.Out, src, c)
}
