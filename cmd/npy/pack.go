package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

var packSubcommand = subcommand{
	use:      "pack OUT [NAME=]FILE...",
	short:    "Put arrays into an archive, or another file of several arrays",
	group:    containerGroup,
	reads:    arrays | rawFiles | text,
	from:     anywhere,
	to:       anywhere,
	inPlace:  true,
	existing: keepOut,
	make:     packCommand,
}

func packCommand(a *app) *cobra.Command {
	var x flags.Compression
	var adding bool
	var to string
	c := &cobra.Command{
		Long: `Pack writes a file of the arrays of several files: an archive (.npz), or what the ending of OUT says ('npy help formats').
A member is called NAME, or like its file without the ending. FILE is any file that 'npy convert' reads, a part of an array
(FILE[0:10]), an array of a file with several (FILE.npz:MEMBER), or such a file, for all of its arrays. Into archives, .npy
files are copied byte for byte, in little memory.

OUT is written under another name and renamed at the end. An existing OUT is replaced only with --force. With --append the
archive keeps its other members, which are not compressed again.`,
		Example: `  npy pack model.npz weights.npy bias.npy
  npy pack --store run.npz x=2024/x.npy 'head=big.npy[:100]' t=times.csv
  npy pack run.h5 x.npy setup/gain=gain.npy
  npy pack --append model.npz step2=w.npy`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("pack wants the name of an archive and at least one file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			e, err := x.Encoder()
			if err != nil {
				return err
			}
			e.Array.Objects = a.limits.Encoder()
			out, sources := args[0], args[1:]
			if out == "-" || out == os.DevNull {
				to = cmp.Or(to, "npz")
			}
			f, ok := a.containerFor(cmp.Or(to, filepath.Ext(out)))
			if !ok || f.New == nil {
				return fmt.Errorf("the first name, %s, is that of the file that is written; want OUT.npz, or another of %s", out, strings.Join(input.FormatEndings(true), " "))
			}
			o := a.output(out, convert.Format(f.Endings[0][1:]), e)
			if err := a.checkTerminal(out, o.Format, ""); err != nil {
				return err
			}
			if adding {
				if err := inPlace("pack --append", out); err != nil {
					return err
				}
				switch {
				case out == "-":
					return fmt.Errorf("--append needs an archive file, not standard output")
				case o.Format != "npz":
					return fmt.Errorf("--append needs an archive (.npz), not %s", out)
				}
				return a.appendTo(out, e, sources)
			}
			more := ", and --append adds to it"
			if o.Format != "npz" {
				more = ""
			}
			if err := a.checkOut(out, more); err != nil {
				return a.told(err)
			}
			return a.told(saysUnless(out, a.packInto(o, sources)))
		},
	}
	x.Add(c)
	c.Flags().BoolVar(&adding, "append", false, "add to OUT, and replace members of the same name")
	c.Flags().StringVar(&to, "to", "", "`format` of OUT (by its ending)")
	return c
}

// saysUnless returns err as an error of a file, unless it is known to be about another one: wrong use, and errors of
// writing, are not about the input that is being read.
func saysUnless(file string, err error) error {
	if _, ok := err.(diagnose.FileError); ok || isUsage(err) {
		return err
	}
	return diagnose.Of(file, err)
}

// A usage is a wrong use that is found after the flags have been parsed.
type usage struct{ error }

func isUsage(err error) bool {
	_, ok := err.(usage)
	return ok
}

// A packer takes arrays, and of archives members: the bytes of a file.
type packer struct {
	bytes func(member string, r io.Reader) error // nil if there are no members
	array func(part conversion.Part, src npy.Source) error
}

// packInto writes a new file.
func (a *app) packInto(o conversion.Output, sources []string) error {
	var losses conversion.LossList
	o.Options.Lost = losses.Add
	err := o.WriteContainer(func(w container.Writer) error {
		p := packer{array: func(part conversion.Part, src npy.Source) error {
			bar := a.progress(part.Path)
			defer bar.Clear()
			return conversion.Put(a.ctx, w, part, src, bar.Set)
		}}
		if z := container.ArchiveWriterOf(w); z != nil {
			p.bytes = z.AddFrom
		}
		return a.pack(p, sources)
	})
	if err != nil {
		return err
	}
	for _, line := range losses.Lines() {
		a.talk("%s: not kept: %s", diagnose.OutName(o.Path), line)
	}
	return nil
}

// appendTo adds members to an archive, or replaces members of the same name.
func (a *app) appendTo(out string, e npz.Encoder, sources []string) error {
	err := e.Extend(out, func(ed *npz.Editor) error {
		drop := func(member string) error {
			if !ed.Has(member) {
				return nil
			}
			return ed.Delete(member)
		}
		return a.pack(packer{
			bytes: func(member string, r io.Reader) error {
				if err := drop(member); err != nil {
					return err
				}
				return ed.AddFunc(member, func(w io.Writer) error { _, err := io.Copy(w, r); return err })
			},
			array: func(part conversion.Part, src npy.Source) error {
				if err := drop(part.Path); err != nil {
					return err
				}
				if !src.DType().HasObject() {
					return ed.AddFunc(part.Path+".npy", func(w io.Writer) error { return npy.Copier{}.Write(a.ctx, w, src) })
				}
				whole, err := src.ReadAll(a.ctx)
				if err != nil {
					return err
				}
				return ed.Add(part.Path, whole)
			},
		}, sources)
	})
	return a.told(saysUnless(out, err))
}

// namesFile reports whether an argument is a file, or an array in one, whose name may have a =.
func namesFile(arg string) bool {
	t, err := input.Parse(arg)
	return err == nil && input.Exists(t.Path)
}

// pack adds the members that the arguments name.
func (a *app) pack(p packer, sources []string) error {
	for _, source := range sources {
		name, arg := "", source
		if before, after, ok := strings.Cut(source, "="); ok && !namesFile(source) {
			name, arg = before, after
		}
		t, err := input.Parse(arg)
		if err != nil {
			return usage{err}
		}
		if err := a.packOne(p, name, t); diagnose.IsFull(err) {
			return err // of OUT
		} else if err != nil {
			return saysUnless(t.Path, err)
		}
	}
	return nil
}

// packOne adds the array of a target, or all members of an archive.
func (a *app) packOne(p packer, name string, t input.Target) error {
	o := a.opener(npy.Decoder{Objects: a.limits.Objects()})
	if from, ok := o.TextFormat(t); ok && t.Member == "" && !o.IsJoined(t.Path) {
		array, err := o.ReadText(a.ctx, t, from)
		if err != nil {
			return err
		}
		defer array.Close()
		return p.array(partOf(cmp.Or(name, t.ArrayName())), array.Source)
	}
	t, err := o.Open(t)
	if err != nil {
		return err
	}
	defer t.Close()
	if t.Container == nil {
		return a.packFile(o, p, cmp.Or(name, t.ArrayName()), t)
	}
	selected, t, one, err := t.Select()
	switch {
	case err != nil:
		return err
	case one:
		return a.packFile(o, p, cmp.Or(name, t.ArrayName()), t)
	case name != "":
		return usage{fmt.Errorf("%s=%s: the arrays of a file keep their names; name one, %s:NAME", name, t.Path, t.Path)}
	}
	found := false
	for _, member := range t.Container.Names() {
		if !selected.Has(member) {
			continue
		}
		t.Member, found = member, true
		if err := a.packMember(o, p, t); diagnose.IsFull(err) {
			return err
		} else if err != nil {
			return diagnose.FileError{File: t.Name(), Err: err}
		}
	}
	if !found && !selected.All() {
		return t.Container.Unknown(selected.String())
	}
	return nil
}

// partOf returns an array with a name and nothing else.
func partOf(name string) conversion.Part {
	return conversion.Part{Entry: container.Entry{Path: name}}
}

// packMember adds an array of another container, or part of it. A member of an archive need not be an array.
func (a *app) packMember(o input.Opener, p packer, t input.Target) error {
	z := t.Container.NPZ()
	if z == nil || t.Index != nil || p.bytes == nil {
		return a.packFile(o, p, t.Member, t)
	}
	e, _ := z.Entry(t.Member)
	f, err := t.Container.Stream(a.ctx, t.Member)
	if err != nil {
		return err
	}
	f = a.watch(f, t.Name(), e.Size)
	defer f.Close()
	return p.bytes(e.Name, f)
}

// packFile adds the bytes of an .npy file, or the array or the part of it that the target names.
func (a *app) packFile(o input.Opener, p packer, name string, t input.Target) error {
	if t.Index != nil || p.bytes == nil || t.Joined() != nil || t.Container != nil && t.Container.NPZ() == nil {
		src, err := o.Once(a.ctx, t)
		if err != nil {
			return err
		}
		defer src.Close()
		part := partOf(name)
		if t.Container != nil {
			e, err := t.Container.Entry(t.Member)
			if err == nil {
				part.Attributes, err = t.Container.Attributes(t.Member)
			}
			if err != nil {
				return err
			}
			part.Entry = conversion.Converted(e, src.Source, t.Index != nil, false, nil)
			part.Path, part.LinkKind = name, ""
			part.Attributes = slices.DeleteFunc(part.Attributes, func(a container.Attribute) bool { return a.Err != nil })
		}
		return p.array(part, src.Source)
	}
	f, err := o.Bytes(a.ctx, t)
	if err != nil {
		return err
	}
	f = a.watch(f, t.Path, input.SizeOf(f))
	defer f.Close()
	head, r := input.Peek(f, len(format.Magic))
	if string(head) != format.Magic {
		return fmt.Errorf("%w: it begins with %q", format.ErrMagic, head)
	}
	return p.bytes(name+".npy", r)
}
