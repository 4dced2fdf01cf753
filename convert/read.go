package convert

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/arrays"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/diag"
)

// Read reads r to its end and returns the array. The array is in C order. Errors in the input are of type [*Error].
func Read(ctx context.Context, r io.Reader, f Format, o ReadOptions) (*npy.Array, Report, error) {
	return Standard().Read(ctx, r, f, o)
}

// Read is [Read] for these formats.
func (s Formats) Read(ctx context.Context, r io.Reader, f Format, o ReadOptions) (*npy.Array, Report, error) {
	to := &arrays.Memory{}
	report, err := s.readTo(ctx, to, r, f, o)
	if err != nil {
		return nil, Report{}, err
	}
	return to.Result(), report, nil
}

// ReadFile reads a file in the format of its extension and returns the array.
func ReadFile(ctx context.Context, path string, o ReadOptions) (*npy.Array, Report, error) {
	return Standard().ReadFile(ctx, path, o)
}

// ReadFile is [ReadFile] for these formats.
func (s Formats) ReadFile(ctx context.Context, path string, o ReadOptions) (*npy.Array, Report, error) {
	from, err := s.ofFile(path)
	if err != nil {
		return nil, Report{}, err
	}
	return from.ReadFile(ctx, path, o)
}

// ReadFile is [ReadFile] for a file of this format, whatever its name is. Errors are of type *fs.PathError.
func (c Converter) ReadFile(ctx context.Context, path string, o ReadOptions) (*npy.Array, Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, Report{}, err
	}
	defer file.Close()
	a, report, err := Formats{c}.Read(ctx, file, c.Format, o)
	if err != nil {
		return nil, Report{}, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return a, report, nil
}

func (s Formats) readTo(ctx context.Context, to arrays.Finisher, r io.Reader, f Format, o ReadOptions) (Report, error) {
	from, err := s.reader(f)
	if err != nil {
		return Report{}, err
	}
	if err := checkDType(o.DType); err != nil {
		return Report{}, err
	}
	report, err := from.Read(ctx, to, r, o)
	if err != nil {
		return Report{}, err
	}
	report.DType, report.Shape, err = to.Finish()
	return report, err
}

// CopyFrom reads r to its end and writes the .npy file of the array that [Read] would return to w. If the format is
// read piece by piece, as [Converter] and doc/formats.md say, memory does not grow with the array. If the number of
// rows is known only at the end, as for tables with a given dtype, w must be an io.WriteSeeker.
func CopyFrom(ctx context.Context, w io.Writer, r io.Reader, f Format, o ReadOptions) (Report, error) {
	return Standard().CopyFrom(ctx, w, r, f, o)
}

// CopyFrom is [CopyFrom] for these formats.
func (s Formats) CopyFrom(ctx context.Context, w io.Writer, r io.Reader, f Format, o ReadOptions) (Report, error) {
	return s.readTo(ctx, &arrays.File{W: w, Version: o.Version}, r, f, o)
}

// CopyFileFrom is [CopyFrom] to a file, which is replaced as by [WriteFile].
func CopyFileFrom(ctx context.Context, path string, r io.Reader, f Format, o ReadOptions) (Report, error) {
	return Standard().CopyFileFrom(ctx, path, r, f, o)
}

// CopyFileFrom is [CopyFileFrom] for these formats. Errors of the file are of type *fs.PathError. Errors of r are not.
func (s Formats) CopyFileFrom(ctx context.Context, path string, r io.Reader, f Format, o ReadOptions) (Report, error) {
	file, err := atomicfile.Create(path)
	if err != nil {
		return Report{}, err
	}
	defer file.Abort()
	report, err := s.CopyFrom(ctx, file.File, r, f, o)
	if err != nil {
		return Report{}, err
	}
	if err := file.Commit(false); err != nil {
		return Report{}, &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return report, nil
}

// checkDType rejects dtypes that no array can have.
func checkDType(t dtype.Type) error {
	if !t.IsValid() {
		return nil
	}
	if t.HasObject() {
		return diag.Errorf("convert", "text cannot be read as objects, dtype %s; leave the dtype out, or give the dtype of the values: %w", t, errors.ErrUnsupported)
	}
	_, err := npy.New(t, 0)
	return err
}
