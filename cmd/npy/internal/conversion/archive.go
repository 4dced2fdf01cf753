package conversion

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
)

// all converts every array of an archive and copies the other members.
func (x Job) all(ctx context.Context) error {
	err := x.writeArchive(func(w *npz.Writer) error {
		for name, e := range x.In.Archive.Members() {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			x.In.Member = name
			if err := x.one(ctx, w, e); err != nil {
				return diagnose.FileError{File: x.In.Name(), Err: err}
			}
		}
		return nil
	})
	return ofMember(x.Out, err)
}

// ofMember returns err as an error of the member that it names, else of out.
func ofMember(out string, err error) error {
	var e diagnose.FileError
	if errors.As(err, &e) {
		return e
	}
	return diagnose.Of(out, err)
}

// changes reports whether members become something else than they are.
func (x Job) changes() bool {
	return x.In.Index != nil || x.DType.IsValid() || x.Order != npy.KeepOrder || x.Version != (format.Version{}) || x.NumPy != 0 || x.Protocol != 0 || x.Objects.Refuse
}

// one converts a member. A member that needs no change keeps its bytes.
func (x Job) one(ctx context.Context, w *npz.Writer, e npz.Entry) error {
	if !x.changes() || !input.IsArrayName(e.Name) {
		if input.IsArrayName(e.Name) {
			if err := x.complete(e); err != nil {
				return err
			}
		}
		f, err := x.In.Archive.Stream(x.In.Member)
		if err != nil {
			return err
		}
		defer f.Close()
		return w.AddFrom(e.Name, input.Until(ctx, f))
	}
	array, _, err := x.readMember()
	if err == nil {
		array, err = x.arrange(array, true)
	}
	if err != nil {
		return err
	}
	return w.Add(x.In.Member, array)
}

// complete returns an error if a member is not a whole array. Python objects are read for that.
func (x Job) complete(e npz.Entry) error {
	info, err := x.In.Archive.Info(x.In.Member)
	if err != nil {
		return diagnose.Explain(err)
	}
	h := info.Header
	if h.DType.HasObject() {
		_, _, err := x.readMember()
		return err
	}
	if have := e.Size - h.DataOffset; have < h.NBytes() {
		err := &format.ShortError{Have: have, Want: h.NBytes(), ItemSize: h.DType.ItemSize()}
		return &npz.Error{Member: e.Name, Offset: -1, Err: &format.Error{Offset: e.Size, Err: err}}
	}
	return nil
}

// writeArchive writes an archive that fill fills. After an error there is no archive.
func (x Job) writeArchive(fill func(*npz.Writer) error) error {
	return WriteArchive(x.Out, x.Stdout, npz.Encoder{Array: x.encoder(x.Version)}, fill)
}

// WriteArchive writes an archive that fill fills to a file, or to stdout if path is -. After an error there is no file.
func WriteArchive(path string, stdout io.Writer, e npz.Encoder, fill func(*npz.Writer) error) error {
	var w *npz.Writer
	var err error
	if path == "-" || path == os.DevNull {
		w, err = e.NewWriter(stdout)
	} else {
		w, err = e.Create(path)
	}
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := fill(w); err != nil {
		return err
	}
	return w.Close()
}
