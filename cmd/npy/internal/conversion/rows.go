package conversion

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
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
