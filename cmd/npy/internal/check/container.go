package check

import (
	"context"
	"fmt"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/source"
)

// container checks the arrays of a container that the target names, or all. An error in one array does not affect the
// others.
func (v *Verifier) container(ctx context.Context) {
	s, t, one, err := v.target.Select()
	if err != nil {
		v.wrong(0, err)
		return
	}
	check := v.member
	v.summed = true // every member has a CRC-32
	if t.Container.NPZ() == nil {
		check = v.named
		v.summed = t.HasChecksum()
	}
	switch v.target = t; {
	case one:
		check(ctx)
	case t.Container.NPZ() != nil:
		v.archive(ctx, s)
	default:
		v.entries(ctx, s)
	}
	if v.Members == 0 && !s.All() && !one {
		v.wrong(0, t.Container.Unknown(s.String()))
	}
}

// entries checks the selected entries of a container that is not an archive.
func (v *Verifier) entries(ctx context.Context, s input.Selection) {
	if s.All() {
		v.attributes("")
	}
	for e := range v.target.Container.Entries() {
		if ctx.Err() != nil {
			return
		}
		if !s.Has(e.Path) {
			continue
		}
		v.target.Member = e.Path
		switch {
		case e.Err != nil:
			v.Members++
			v.wrong(0, diagnose.Explain(e.Err))
		case e.Group:
			v.attributes(e.Path)
		default:
			v.entry(ctx, e)
		}
	}
	v.target.Member = ""
}

// named is entry for the path in the target.
func (v *Verifier) named(ctx context.Context) {
	e, _ := v.target.Container.Entry(v.target.Member) // its Source gives the error
	v.entry(ctx, e)
}

// entry reads an array and its attributes.
func (v *Verifier) entry(ctx context.Context, e container.Entry) {
	v.Members++
	src, err := v.target.Container.Source(v.target.Member)
	if err != nil {
		v.wrong(0, diagnose.Explain(err))
		return
	}
	v.found(format.Header{DType: src.DType(), Shape: src.Shape()}, v.summed || e.Checksum != "" || e.Stored == 0)
	v.attributes(v.target.Member)
	if err := readAll(ctx, src); err != nil {
		v.wrong(0, diagnose.Explain(err))
	}
}

// readAll reads the elements that are stored.
func readAll(ctx context.Context, src npy.Source) error {
	return source.EachRegion(ctx, src, func(_ npy.Region, stored npy.Source) error {
		if stored == nil {
			return nil
		}
		return readBlocks(ctx, stored)
	})
}

// readBlocks reads all elements.
func readBlocks(ctx context.Context, src npy.Source) error {
	for _, err := range src.Blocks(ctx, 0) {
		if err != nil {
			return err
		}
	}
	return nil
}

// attributes reads the attributes of an entry.
func (v *Verifier) attributes(path string) {
	attributes, err := v.target.Container.Attributes(path)
	if err != nil {
		v.wrong(0, diagnose.Explain(err))
	}
	for _, a := range attributes {
		if a.Err != nil {
			v.wrong(0, fmt.Errorf("attribute %q: %s", a.Name, diagnose.Text(a.Err)))
		}
	}
}

// archive checks the selected members of an archive.
func (v *Verifier) archive(ctx context.Context, s input.Selection) {
	c := v.target.Container
	z := c.NPZ()
	seen := map[string]bool{}
	for name, e := range z.Members() {
		if ctx.Err() != nil {
			return
		}
		if !s.Has(name) {
			continue
		}
		v.target.Member = name
		if err := e.CheckName(); err != nil {
			v.note(e.HeaderOffset, "%s", diagnose.Text(err))
		} else if problem := c.Unportable(e); problem != "" {
			v.note(e.HeaderOffset, "%s; 'npy unpack --portable-names' gives it another name", problem)
		}
		if seen[e.Name] {
			v.note(e.HeaderOffset, "a member before this one has the same name; NumPy gives only the last one")
			continue
		}
		seen[e.Name] = true
		if e.Err != nil {
			v.Members++
			v.wrong(e.HeaderOffset, e.Err)
			continue
		}
		v.member(ctx)
	}
	v.target.Member = ""
}

// member checks one member. A member that is not an array is an error only if its name says that it is one.
func (v *Verifier) member(ctx context.Context) {
	c := v.target.Container
	v.Members++
	f, err := c.Stream(ctx, v.target.Member)
	if err != nil {
		v.wrong(0, err)
		return
	}
	e, _ := c.NPZ().Entry(v.target.Member)
	f = v.Opener.Watch(f, v.target.Name(), e.Size)
	defer f.Close()
	in := input.Until(ctx, f)
	head, in := input.Peek(in, len(format.Magic))
	if string(head) == format.Magic || input.IsArrayName(e.Name) {
		v.stream(in, true)
		return
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		v.wrong(0, err)
		return
	}
	v.note(0, "%s, which NumPy gives as bytes", input.NotArray(e))
}
