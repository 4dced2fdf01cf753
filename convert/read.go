package convert

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/atomicfile"
)

// Read reads r to its end and returns the array. The array is in C order. Errors in the input are of type [*Error].
func Read(r io.Reader, f Format, o ReadOptions) (*npy.Array, Report, error) {
	return Standard().Read(r, f, o)
}

// Read is [Read] for these formats.
func (s Formats) Read(r io.Reader, f Format, o ReadOptions) (*npy.Array, Report, error) {
	to := &memorySink{}
	report, err := s.readTo(to, r, f, o)
	if err != nil {
		return nil, Report{}, err
	}
	return to.array, report, nil
}

func (s Formats) readTo(to finisher, r io.Reader, f Format, o ReadOptions) (Report, error) {
	from, err := s.reader(f)
	if err != nil {
		return Report{}, err
	}
	if err := checkDType(o.DType); err != nil {
		return Report{}, err
	}
	report, err := from.Read(to, r, o)
	if err != nil {
		return Report{}, err
	}
	report.DType, report.Shape, err = to.finish()
	return report, err
}

// CopyFrom reads r to its end and writes the .npy file of the array that [Read] would return to w. If the format is
// read piece by piece, as [Converter] and doc/formats.md say, memory does not grow with the array. If the number of
// rows is known only at the end, as for tables with a given dtype, w must be an io.WriteSeeker.
func CopyFrom(w io.Writer, r io.Reader, f Format, o ReadOptions) (Report, error) {
	return Standard().CopyFrom(w, r, f, o)
}

// CopyFrom is [CopyFrom] for these formats.
func (s Formats) CopyFrom(w io.Writer, r io.Reader, f Format, o ReadOptions) (Report, error) {
	return s.readTo(&fileSink{w: w, version: o.Version}, r, f, o)
}

// CopyFileFrom is [CopyFrom] to a file, which is replaced as by [WriteFile].
func CopyFileFrom(path string, r io.Reader, f Format, o ReadOptions) (Report, error) {
	return Standard().CopyFileFrom(path, r, f, o)
}

// CopyFileFrom is [CopyFileFrom] for these formats. Errors of the file are of type *fs.PathError. Errors of r are not.
func (s Formats) CopyFileFrom(path string, r io.Reader, f Format, o ReadOptions) (Report, error) {
	file, err := atomicfile.Create(path)
	if err != nil {
		return Report{}, err
	}
	defer file.Abort()
	report, err := s.CopyFrom(file.File, r, f, o)
	if err != nil {
		return Report{}, err
	}
	if err := file.Commit(false); err != nil {
		return Report{}, &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return report, nil
}

// readWhole returns the Read function of a converter that holds the text in memory.
func readWhole(read func(text string, o ReadOptions, report *Report) (*npy.Array, error)) func(Sink, io.Reader, ReadOptions) (Report, error) {
	return func(to Sink, r io.Reader, o ReadOptions) (Report, error) {
		text, err := readJSONText(r, o)
		if err != nil {
			return Report{}, err
		}
		report := Report{Inferred: !o.DType.IsValid()}
		a, err := read(text, o, &report)
		if err != nil {
			return Report{}, err
		}
		return report, to.Array(a)
	}
}

// checkDType rejects dtypes that no array can have.
func checkDType(t dtype.Type) error {
	if !t.IsValid() {
		return nil
	}
	if t.HasObject() {
		return fmt.Errorf("convert: text cannot be read as objects, dtype %s; leave the dtype out, or give the dtype of the values: %w", t, errors.ErrUnsupported)
	}
	_, err := npy.New(t, 0)
	return err
}
