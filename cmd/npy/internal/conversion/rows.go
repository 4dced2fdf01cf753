package conversion

import (
	"context"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/query"
)

// rows converts the rows that satisfy the condition of the Opener.
func (x Job) rows(ctx context.Context) error {
	if x.From == NPY {
		in, err := x.Opener.Open(x.In)
		if err != nil {
			return diagnose.Of(x.In.Path, err)
		}
		defer in.Close()
		if x.In = in; in.Archive != nil && x.In.Member == "" && x.To == NPZ {
			return x.allRows(ctx)
		}
		if in.Archive != nil {
			if x.In, err = x.In.Only(); err != nil {
				return diagnose.Of(x.In.Path, err)
			}
		}
	}
	if x.asIs() && x.In.Index == nil {
		if done, err := x.streamRows(ctx); done || err != nil {
			return err
		}
	}
	src, err := x.chosen(ctx)
	if err != nil {
		return diagnose.Of(x.In.Name(), err)
	}
	defer src.Close()
	if x.To == NPZ || src.DType().HasObject() {
		array, err := x.chosenArray(ctx, src)
		if err != nil {
			return diagnose.Of(x.In.Name(), err)
		}
		return x.write(ctx, array, src.Header.Version)
	}
	progress := x.Progress(diagnose.FileName(x.Out))
	defer progress.Clear()
	if x.To == NPY || x.To == Raw {
		return x.blame(x.copyArray(ctx, src, progress.Set))
	}
	t, err := x.becomes(src.DType())
	if err != nil {
		return diagnose.Of(x.In.Path, err)
	}
	if err = x.blame(x.copyText(ctx, src.Source, progress.Set)); err == nil {
		progress.Clear()
		x.warnLosses(t, src.Shape())
	}
	return err
}

// asIs reports whether rows keep their dtype and order and go from an array to an .npy file.
func (x Job) asIs() bool {
	return x.From == NPY && x.To == NPY && x.Out != "-" && x.Out != os.DevNull && !x.DType.IsValid() && x.Order == npy.KeepOrder && x.Version == (format.Version{})
}

// streamRows writes the chosen rows of a stream as they arrive, in little memory. It reports false, and has read nothing,
// if In can be read more than once.
func (x Job) streamRows(ctx context.Context) (done bool, err error) {
	if x.In.Archive != nil || x.Opener.IsRegular(x.In) {
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
		return true, x.blame(x.copyChosen(ctx, chosen))
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

// copyChosen writes rows that are in memory.
func (x Job) copyChosen(ctx context.Context, chosen npy.Source) error {
	array, err := chosen.ReadAll(ctx)
	if err != nil {
		return err
	}
	return x.write(ctx, array, format.Version{})
}

// chosen opens the rows of In that satisfy the condition.
func (x Job) chosen(ctx context.Context) (*input.Array, error) {
	if x.From == NPY {
		return x.Opener.Once(ctx, x.In)
	}
	array, version, err := x.read(ctx)
	if err == nil && x.In.Index != nil {
		array, err = array.Slice(x.In.Index...)
	}
	if err != nil {
		return nil, err
	}
	src, err := x.Opener.Choose(ctx, array)
	if err != nil {
		return nil, err
	}
	return &input.Array{Source: src, Header: format.Header{Version: version, DType: src.DType(), Shape: src.Shape()}}, nil
}

// chosenArray reads chosen rows into memory, as the requested dtype and order.
func (x Job) chosenArray(ctx context.Context, src *input.Array) (*npy.Array, error) {
	array, err := src.ReadAll(ctx)
	if err != nil {
		return nil, diagnose.Explain(err)
	}
	x.In.Index = nil // it has been applied
	return x.arrange(array, x.From == NPY)
}

// allRows converts the chosen rows of every array of an archive. Members that are not arrays are left out.
func (x Job) allRows(ctx context.Context) error {
	err := x.writeArchive(func(w *npz.Writer) error {
		for name, e := range x.In.Archive.Members() {
			if !input.IsArrayName(e.Name) {
				continue
			}
			one := x
			one.In.Member = name
			src, err := x.Opener.Once(ctx, one.In)
			if err != nil {
				return diagnose.FileError{File: one.In.Name(), Err: err}
			}
			array, err := one.chosenArray(ctx, src)
			if err == nil {
				err = w.Add(name, array)
			}
			src.Close()
			if err != nil {
				return diagnose.FileError{File: one.In.Name(), Err: err}
			}
		}
		return nil
	})
	return ofMember(x.Out, err)
}
