package main

import (
	"fmt"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/source"
	"github.com/spf13/cobra"
)

var appendSubcommand = subcommand{
	use:     "append FILE MORE...",
	short:   "Make an array longer, in its file",
	group:   writeGroup,
	reads:   arrays | rawFiles | text,
	from:    anywhere,
	to:      here,
	inPlace: true,
	make:    appendCommand,
}

func appendCommand(a *app) *cobra.Command {
	var sync bool
	c := &cobra.Command{
		Long: `Append adds arrays to the end of FILE, along the first axis, or along the last axis if FILE is in Fortran order. The other
axes must be equal, and the dtype of FILE must hold every value. An array with one axis less is one row. MORE is any file
that 'npy convert' reads, a part of it (MORE[0:10]), or an array of a file with several.

FILE.h5:NAME is an array of an HDF5 file whose first axis may grow: in h5py, one with maxshape=(None, ...). The only array of a
file needs no name.

The elements are written first, and the length in the header last. A process that is killed leaves the old length, the new
length, or a length in between. With --sync the same holds for a power failure. Of two processes that append to one file, one
waits or gets an error.`,
		Example: "  npy append log.npy today.npy\n  npy append log.h5:run1 today.npy\n  npy append log.npy rows.csv 'old.npy[-100:]'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("append wants an array file, and at least one file to append")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := inPlace("append", args[0]); err != nil {
				return err
			}
			to, err := input.Parse(args[0])
			if err != nil {
				return err
			}
			l, err := a.opener(npy.Decoder{}).OpenAppend(to, sync)
			if err != nil {
				return diagnose.FileError{File: args[0], Err: diagnose.Explain(err)}
			}
			defer l.Close()
			for _, arg := range args[1:] {
				t, err := input.Parse(arg)
				if err != nil {
					return err
				}
				if input.SameFile(t.Path, to.Path) {
					return fmt.Errorf("%s: a file cannot be appended to itself; copy it first", arg)
				}
				if err := a.appendAll(l, t); diagnose.IsFull(err) {
					l.Close()
					return cannotAppend(args[0], err)
				} else if err != nil {
					return diagnose.FileError{File: t.Path, Err: diagnose.Flagged(diagnose.Explain(err), "npy cast ")}
				}
			}
			return cannotAppend(args[0], l.Close())
		},
	}
	c.Flags().BoolVar(&sync, "sync", false, "wait until the data is on disk and would survive a power failure")
	return c
}

// cannotAppend returns err as an error of the file that is appended to, with its present contents.
func cannotAppend(path string, err error) error {
	if err == nil {
		return nil
	}
	e := diagnose.FileError{File: path, Err: err}
	if f, err := npy.Open(path); err == nil {
		defer f.Close()
		e.Remains = fmt.Sprintf("; it is a valid array of shape %s", format.ShapeString(f.Shape()))
	}
	return e
}

// appendAll appends the array of a target, a part at a time if the target can be read in parts.
func (a *app) appendAll(l input.Appender, t input.Target) error {
	h := l.Header()
	axis := 0
	if h.FortranOrder {
		axis = len(h.Shape) - 1
	}
	o := a.opener(a.decoder(0, nil))
	o.Text.DType = h.DType
	in, err := o.Source(a.ctx, t)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, ok := in.Source.(*npy.Array); ok || t.Index != nil || len(in.Shape()) != len(h.Shape) || in.Shape()[axis] == 0 {
		array, err := in.ReadAll(a.ctx)
		if err == nil && array.NDim()+1 == len(h.Shape) { // one row
			array, err = array.Reshape(slices.Insert(array.Shape(), axis, 1)...)
		}
		if err != nil {
			return err
		}
		return l.Append(array)
	}
	if l, ok := l.(input.Limited); ok {
		if err := l.Check(in.Shape()[axis]); err != nil {
			return err
		}
	}
	shape, total := in.Shape(), in.Header.NBytes()
	if err := source.CheckBytes(in.Source, total); err != nil { // before some of the rows are appended
		return err
	}
	const block = 64 << 20
	bar := a.progress(diagnose.FileName(t.Path))
	defer bar.Clear()
	rows := shape[axis] // elements without bytes
	if size := int(total / int64(shape[axis])); size > 0 {
		rows = max(1, block/size)
	}
	for at := 0; at < shape[axis]; at += rows {
		index := []npy.Index{npy.Span(at, min(at+rows, shape[axis]))}
		if h.FortranOrder {
			index = append([]npy.Index{npy.Ellipsis()}, index...)
		}
		part, err := numbers.Read(a.ctx, in.Source, index...)
		if err != nil {
			return err
		}
		if err := l.Append(part); err != nil {
			return err
		}
		bar.Set(total/int64(shape[axis])*int64(min(at+rows, shape[axis])), total)
	}
	return nil
}
