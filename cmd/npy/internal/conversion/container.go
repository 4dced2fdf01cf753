package conversion

import (
	"context"
	"errors"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npz"
)

// all converts the selected entries of a container to another one.
func (x Job) all(ctx context.Context, s input.Selection) error {
	losses := &LossList{}
	o := x.output(x.Version)
	o.Options.Lost = losses.Add
	err := o.WriteContainer(func(w container.Writer) error {
		z, to := x.In.Container.NPZ(), container.ArchiveWriterOf(w)
		if z != nil && to != nil && !x.changes() {
			return x.members(ctx, s, z, to)
		}
		return x.entries(ctx, s, w, losses)
	})
	var e diagnose.FileError
	switch {
	case err == nil:
	case errors.As(err, &e):
		return e
	default:
		return diagnose.Of(x.outName(), err)
	}
	for _, line := range losses.Lines() {
		x.notKept(line)
	}
	return nil
}

// entries copies the selected entries. Entries that cannot be read, or that Out cannot hold, are reported and left out.
func (x Job) entries(ctx context.Context, s input.Selection, w container.Writer, losses *LossList) error {
	c := x.In.Container
	written, skipped := 0, 0
	if s.All() {
		if err := x.group(w, container.RootOf(c.Container)); err != nil {
			return err
		}
		for _, loss := range container.Omitted(c.Container) {
			losses.Add(loss)
		}
	}
	for e := range c.Entries() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !s.Has(e.Path) {
			continue
		}
		x.In.Member = e.Path
		linked, err := x.link(w, s, e)
		switch {
		case err != nil || linked:
		case c.NotArray(e.Path) != "" && e.Err != nil:
			err = x.notArray(ctx, w, e)
		case e.Err != nil:
			err = diagnose.Explain(e.Err)
		case e.Group:
			err = x.group(w, e)
		default:
			if err = x.entry(ctx, w, e, losses); err == nil {
				written++
			}
		}
		if err == nil {
			continue
		}
		if err := x.skip(err, e); err != nil {
			return err
		}
		skipped++
	}
	if written == 0 && skipped > 0 {
		return diagnose.FileError{File: x.outName(), Err: errNothing}
	}
	return nil
}

// link copies an entry that is a link, if Out has links and the target. A link that leads nowhere is copied, too.
func (x Job) link(w container.Writer, s input.Selection, e container.Entry) (ok bool, err error) {
	target := strings.Trim(e.Link, "/")
	if e.LinkKind == container.SoftLink && e.Err == nil && !s.All() && !s.Has(target) {
		return false, nil
	}
	return container.PutLink(w, e)
}

var errNothing = errors.New("it is not written, because there is no array to put into it")

// skip reports an error after which other entries can follow, and returns nil for it.
func (x Job) skip(err error, e container.Entry) error {
	var write *container.WriteError
	switch {
	case isUnfit(err), e.Err != nil && !errors.As(err, &write):
		if x.In.Container.NPZ() != nil && e.Err != nil {
			break
		}
		x.Complain(diagnose.FileError{File: x.In.Name(), Err: err})
		return nil
	case errors.As(err, &write):
		return err
	}
	return diagnose.FileError{File: x.In.Name(), Err: err}
}

// group adds a group with its attributes, or the attributes of the root.
func (x Job) group(w container.Writer, e container.Entry) error {
	attributes, err := x.attributes(e.Path)
	if err != nil {
		return err
	}
	if e.Path == "" && len(attributes) == 0 && e.Dims == nil {
		return nil
	}
	if _, err := w.Begin(e, attributes); err != nil {
		return &container.WriteError{Err: err, Begun: diagnose.IsFull(err)}
	}
	return nil
}

// attributes returns the attributes of an entry that can be read, and reports the others.
func (x Job) attributes(path string) ([]container.Attribute, error) {
	all, err := x.In.Container.Attributes(path)
	if err != nil {
		return nil, err
	}
	var readable []container.Attribute
	for _, a := range all {
		if a.Err != nil {
			t := x.In
			t.Member = path
			x.Complain(diagnose.FileError{File: t.Name(), Err: errAttribute{a}})
			continue
		}
		if !x.Opener.Scale || !netcdf.IsScaling(a.Name) {
			readable = append(readable, a)
		}
	}
	return readable, nil
}

// errAttribute is the error of an attribute that cannot be read.
type errAttribute struct{ container.Attribute }

// Error implements error.
func (e errAttribute) Error() string { return "attribute " + e.Name + ": " + diagnose.Text(e.Err) }

// entry copies an array.
func (x Job) entry(ctx context.Context, w container.Writer, e container.Entry, losses *LossList) error {
	src, err := x.Opener.Once(ctx, x.In)
	if err != nil {
		return err
	}
	defer src.Close()
	x.Member = x.In.Member
	converted, err := x.converted(ctx, src)
	if err != nil {
		return err
	}
	part, err := x.partOf(e, converted, losses)
	if err != nil {
		return err
	}
	bar := x.Progress(x.outName() + ":" + part.Path)
	defer bar.Clear()
	return Put(ctx, w, part, converted, bar.Set)
}

// notArray copies a member of an archive that is not an array to another archive. For any other format it reports the loss.
func (x Job) notArray(ctx context.Context, w container.Writer, e container.Entry) error {
	if to := container.ArchiveWriterOf(w); to != nil && !x.Opener.Changes() {
		f, err := x.In.Container.Stream(ctx, e.Path)
		if err != nil {
			return err
		}
		defer f.Close()
		m, _ := x.In.Container.NPZ().Entry(e.Path)
		return to.AddFrom(m.Name, f)
	}
	if !x.Opener.Changes() && !strings.HasSuffix(e.Path, "/") {
		x.notKept(e.Path + ", which is " + x.In.Container.NotArray(e.Path))
	}
	return nil
}

// changes reports whether arrays become something else than they are.
func (x Job) changes() bool {
	return x.In.Index != nil || x.DType.IsValid() || x.Order != npy.KeepOrder || x.Version != (format.Version{}) || x.NumPy != 0 || x.Protocol != 0 ||
		x.Objects.Refuse || x.Opener.Changes() || x.Opener.Scale
}

// members copies the selected members of an archive to another one. They keep their bytes.
func (x Job) members(ctx context.Context, s input.Selection, z *npz.Reader, to *npz.Writer) error {
	for _, name := range x.In.Container.Names() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !s.Has(name) {
			continue
		}
		x.In.Member = name
		e, _ := z.Entry(name)
		if err := x.member(ctx, to, e); err != nil {
			return diagnose.FileError{File: x.In.Name(), Err: err}
		}
	}
	return nil
}

// member copies the bytes of a member.
func (x Job) member(ctx context.Context, to *npz.Writer, e npz.Entry) error {
	if input.IsArrayName(e.Name) {
		if err := x.complete(ctx, e); err != nil {
			return err
		}
	}
	f, err := x.In.Container.Stream(ctx, x.In.Member)
	if err != nil {
		return err
	}
	defer f.Close()
	return to.AddFrom(e.Name, input.Until(ctx, f))
}

// complete returns an error if a member is not a whole array. Python objects are read for that.
func (x Job) complete(ctx context.Context, e npz.Entry) error {
	info, err := x.In.Container.NPZ().Info(x.In.Member)
	if err != nil {
		return diagnose.Explain(err)
	}
	h := info.Header
	if h.DType.HasObject() {
		_, err := x.Opener.Load(ctx, x.In)
		return err
	}
	if have := e.Size - h.DataOffset; have < h.NBytes() {
		err := &format.ShortError{Have: have, Want: h.NBytes(), ItemSize: h.DType.ItemSize()}
		return &npz.Error{Member: e.Name, Offset: -1, Err: &format.Error{Offset: e.Size, Err: err}}
	}
	return nil
}
