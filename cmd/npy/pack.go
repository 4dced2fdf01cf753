package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

// compression holds the flags for writing an archive.
type compression struct {
	e     npz.Encoder
	align int
}

func (x *compression) add(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&x.e.Store, "store", false, "do not compress: members can be mapped into memory")
	f.IntVarP(&x.e.Level, "level", "l", 0, "how hard to compress: `level` 1 (fastest) to 9 (smallest), or to 22 with --zstd (0: chosen for every megabyte)")
	f.BoolVar(&x.e.Zstd, "zstd", false, "compress with Zstandard, which NumPy reads from Python 3.14 on")
	f.IntVar(&x.align, "align", 0, "with --store, begin elements at a multiple of so many `bytes` (0: 64, negative: anywhere, as np.savez)")
}

// encoder returns the settings, or an error that names the invalid one.
func (x *compression) encoder() (npz.Encoder, error) {
	x.e.Align = x.align
	_, err := x.e.NewWriter(io.Discard)
	if err != nil {
		return npz.Encoder{}, fmt.Errorf("--level, --align: %s", reason(err))
	}
	if x.e.Store && (x.e.Zstd || x.e.Level != 0) {
		return npz.Encoder{}, fmt.Errorf("--store does not go with --zstd or --level; give one")
	}
	return x.e, nil
}

func packCommand(a *app) *cobra.Command {
	var x compression
	var adding bool
	c := &cobra.Command{
		Use:   "pack OUT.npz [NAME=]FILE...",
		Short: "Put arrays into an archive",
		Long: `Pack writes an archive with the arrays of the files, each called NAME, or else as its file without the ending. FILE
is whatever 'npy convert' reads; a part of an array (FILE[0:10]) or a member of an archive (FILE.npz:MEMBER) as well, and of
FILE.npz all members. The bytes of .npy files go in as they are, and large ones take no memory.

OUT is written under another name first and renamed at the end. With --append the archive keeps its other members,
which are not compressed again.`,
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
			e, err := x.encoder()
			if err != nil {
				return err
			}
			e.Array.Objects = a.limits.encoder()
			out, sources := args[0], args[1:]
			if out == "-" && terminal.Is(a.out) {
				return fmt.Errorf("an archive is not for a terminal; name a file, or pipe the output on")
			}
			if adding {
				if out == "-" {
					return fmt.Errorf("--append changes an archive; standard output is none")
				}
				if exists(out) {
					return a.appendTo(out, e, sources)
				}
			}
			err = a.createArchive(out, e, func(w *npz.Writer) error {
				return a.pack(packer{w.AddFrom, w.Add}, sources)
			})
			return a.told(saysUnless(out, err))
		},
	}
	x.add(c)
	c.Flags().BoolVar(&adding, "append", false, "keep what OUT has, and replace what has the same name")
	return c
}

// saysUnless is says, except for errors that name another file.
func saysUnless(file string, err error) error {
	if _, ok := err.(fileError); ok || isUsage(err) {
		return err
	}
	return says(file, err)
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
		if before, after, ok := strings.Cut(source, "="); ok && !exists(source) {
			name, arg = before, after
		}
		t, err := parseTarget(arg)
		if err != nil {
			return usage{fmt.Errorf("%s: %w", arg, err)}
		}
		if err := a.packOne(p, name, t); err != nil {
			return saysUnless(t.path, err)
		}
	}
	return nil
}

// packOne adds the array of a target, or all members of an archive.
func (a *app) packOne(p packer, name string, t target) error {
	if from, ok := convert.ForFile(t.path); ok && t.member == "" {
		array, err := a.readText(t, from, dtype.Type{})
		if err != nil {
			return err
		}
		return p.array(nameOr(name, t), array)
	}
	z, err := a.openArchive(t.path, npy.Decoder{Objects: a.limits.objects()})
	if err != nil {
		return err
	}
	if z == nil {
		return a.packFile(p, nameOr(name, t), t)
	}
	defer z.close()
	t.archive = z
	if t.member != "" {
		if t, err = z.resolve(t); err != nil {
			return err
		}
		return a.packFile(p, nameOr(name, t), t)
	}
	if name != "" {
		return usage{fmt.Errorf("%s=%s: an archive has members of their own names; take one, %s:MEMBER", name, t.path, t.path)}
	}
	for member, e := range z.members() {
		t.member = member
		if err := a.packMember(p, t, e); err != nil {
			return fileError{t.name(), err}
		}
	}
	return nil
}

// packMember adds a member of another archive, or part of its array. A member need not be an array.
func (a *app) packMember(p packer, t target, e npz.Entry) error {
	if t.index != nil {
		return a.packFile(p, t.member, t)
	}
	f, err := t.archive.stream(t.member)
	if err != nil {
		return err
	}
	f = a.watch(f, t.name(), e.Size)
	defer f.Close()
	return p.bytes(e.Name, f)
}

// nameOr returns name, or if it is empty the default name for the array of a target.
func nameOr(name string, t target) string {
	switch {
	case name != "":
		return name
	case t.member != "":
		return t.member
	}
	return memberFor(t.path)
}

// packFile adds the bytes of an .npy file, or the part of its array that the target names.
func (a *app) packFile(p packer, name string, t target) error {
	if t.index != nil {
		array, err := a.load(t, npy.Decoder{Objects: a.limits.objects()})
		if err != nil {
			return err
		}
		return p.array(name, array)
	}
	f, err := a.open(t)
	if err != nil {
		return err
	}
	f = a.watch(f, t.path, sizeOf(f))
	defer f.Close()
	head, r := peek(f, len(format.Magic))
	if string(head) != format.Magic {
		return fmt.Errorf("%w: it begins with %q", format.ErrMagic, head)
	}
	return p.bytes(name+".npy", r)
}

// readText reads an array from text. dt is its dtype, if known.
func (a *app) readText(t target, from convert.Format, dt dtype.Type) (*npy.Array, error) {
	f, err := a.open(t)
	if err != nil {
		return nil, err
	}
	f = a.watch(f, t.path, sizeOf(f))
	defer f.Close()
	array, report, err := convert.Read(f, from, a.limits.text(convert.ReadOptions{DType: dt}, f))
	if err != nil {
		return nil, err
	}
	if report.Inferred {
		a.talk("%s: %s; change it with 'npy convert --dtype'", fileName(t.path), report)
	}
	if t.index == nil {
		return array, nil
	}
	return array.Slice(t.index...)
}
