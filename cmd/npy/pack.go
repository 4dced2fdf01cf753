package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

func packCommand(a *app) *cobra.Command {
	var x flags.Compression
	var adding, force bool
	c := &cobra.Command{
		Use:   "pack OUT.npz [NAME=]FILE...",
		Short: "Put arrays into an archive",
		Long: `Pack writes an archive of the arrays of several files. A member is called NAME, or like its file without the ending. FILE is
any file that 'npy convert' reads, a part of an array (FILE[0:10]), a member of an archive (FILE.npz:MEMBER), or an archive,
for all of its members. .npy files are copied byte for byte, in little memory.

OUT is written under another name and renamed at the end. An existing OUT is replaced only with --force. With --append the
archive keeps its other members, which are not compressed again.`,
		Example: `  npy pack model.npz weights.npy bias.npy
  npy pack --store run.npz x=2024/x.npy 'head=big.npy[:100]' t=times.csv
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
			if out == "-" && terminal.Is(a.out) {
				return fmt.Errorf("standard output is a terminal; name a file, or redirect the output")
			}
			if out != "-" && out != os.DevNull && !strings.EqualFold(filepath.Ext(out), ".npz") {
				return fmt.Errorf("the first name, %s, is that of the archive; want OUT.npz", out)
			}
			if adding {
				if out == "-" {
					return fmt.Errorf("--append needs an archive file, not standard output")
				}
				if input.Exists(out) {
					return a.appendTo(out, e, sources)
				}
			}
			if err := checkNew(out, force, ", and --append adds to it"); err != nil {
				return a.told(err)
			}
			err = conversion.WriteArchive(out, a.out, e, func(w *npz.Writer) error {
				return a.pack(packer{w.AddFrom, w.Add}, sources)
			})
			return a.told(saysUnless(out, err))
		},
	}
	x.Add(c)
	addForce(c.Flags(), &force)
	c.Flags().BoolVar(&adding, "append", false, "add to OUT, and replace members of the same name")
	a.addTable(c)
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

// A packer takes members: the bytes of a file, or an array.
type packer struct {
	bytes func(member string, r io.Reader) error
	array func(name string, array *npy.Array) error
}

// appendTo adds members to an archive, or replaces members of the same name.
func (a *app) appendTo(out string, e npz.Encoder, sources []string) error {
	err := e.Edit(out, func(ed *npz.Editor) error {
		drop := func(member string) error {
			if !ed.Has(member) {
				return nil
			}
			return ed.Delete(member)
		}
		return a.pack(packer{
			bytes: func(member string, r io.Reader) error {
				data, err := io.ReadAll(r)
				if err == nil {
					err = drop(member)
				}
				if err != nil {
					return err
				}
				return ed.AddBytes(member, data)
			},
			array: func(name string, array *npy.Array) error {
				if err := drop(name); err != nil {
					return err
				}
				return ed.Add(name, array)
			},
		}, sources)
	})
	return a.told(saysUnless(out, err))
}

// pack adds the members that the arguments name.
func (a *app) pack(p packer, sources []string) error {
	for _, source := range sources {
		name, arg := "", source
		if before, after, ok := strings.Cut(source, "="); ok && !input.Exists(source) {
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
	_, plain := input.CompressionOf(t.Path)
	if from, ok := convert.ForFile(plain); ok && t.Member == "" {
		array, err := o.ReadText(a.ctx, t, from, dtype.Type{})
		if err != nil {
			return err
		}
		return p.array(cmp.Or(name, t.ArrayName()), array)
	}
	t, err := o.Open(t)
	if err != nil {
		return err
	}
	defer t.Close()
	if t.Archive == nil {
		return a.packFile(o, p, cmp.Or(name, t.ArrayName()), t)
	}
	if t.Member != "" {
		if t, err = t.Resolve(); err != nil {
			return err
		}
		return a.packFile(o, p, cmp.Or(name, t.ArrayName()), t)
	}
	if name != "" {
		return usage{fmt.Errorf("%s=%s: the members of an archive keep their names; name one, %s:MEMBER", name, t.Path, t.Path)}
	}
	for member, e := range t.Archive.Members() {
		t.Member = member
		if err := a.packMember(o, p, t, e); diagnose.IsFull(err) {
			return err
		} else if err != nil {
			return diagnose.FileError{File: t.Name(), Err: err}
		}
	}
	return nil
}

// packMember adds a member of another archive, or part of its array. A member need not be an array.
func (a *app) packMember(o input.Opener, p packer, t input.Target, e npz.Entry) error {
	if t.Index != nil {
		return a.packFile(o, p, t.Member, t)
	}
	f, err := t.Archive.Stream(t.Member)
	if err != nil {
		return err
	}
	f = a.watch(f, t.Name(), e.Size)
	defer f.Close()
	return p.bytes(e.Name, f)
}

// packFile adds the bytes of an .npy file, or the part of its array that the target names.
func (a *app) packFile(o input.Opener, p packer, name string, t input.Target) error {
	if t.Index != nil {
		array, err := o.Load(a.ctx, t)
		if err != nil {
			return err
		}
		return p.array(name, array)
	}
	f, err := o.Bytes(t)
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
