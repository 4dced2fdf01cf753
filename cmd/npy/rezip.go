package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

func rezipCommand(a *app) *cobra.Command {
	var x compression
	var quiet bool
	c := &cobra.Command{
		Use:   "rezip FILE.npz [OUT.npz]",
		Short: "Change how an archive is compressed",
		Long: `Rezip writes all members of an archive again: compressed by all processors and in pieces that can be read by themselves,
stored so that they can be mapped, or aligned. Without OUT the archive takes the place of FILE when it is whole.
What members hold does not change.`,
		Example: "  npy rezip run.npz\n  npy rezip --store model.npz mapped.npz\n  npy rezip --level 9 a.npz small.npz",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return fmt.Errorf("rezip wants an archive, and perhaps a name for the result; it has %d names", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			e, err := x.encoder()
			if err != nil {
				return err
			}
			from, to := args[0], args[len(args)-1]
			if to == "-" {
				return fmt.Errorf("the result of rezip is a file; name one")
			}
			return a.told(says(from, a.rezip(from, to, e, quiet)))
		},
	}
	x.add(c)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "do not say how large it was and is")
	return c
}

func (a *app) rezip(from, to string, e npz.Encoder, quiet bool) error {
	z, err := a.mustArchive(from, npy.Decoder{})
	if err != nil {
		return err
	}
	defer z.close()
	before := z.stored()
	bar := a.progress(to)
	if runtime.GOOS == "windows" && sameFile(from, to) {
		err = a.replaceOpen(to, e, z, bar.Set)
	} else {
		err = e.Rewrite(to, z.Reader, bar.Set)
	}
	bar.Clear()
	if err != nil {
		return err
	}
	if quiet {
		return nil
	}
	w, err := a.mustArchive(to, npy.Decoder{})
	if err != nil {
		return err
	}
	defer w.close()
	_, err = fmt.Fprintf(a.out, "%s: %s, %d bytes stored, were %d (%s)\n", terminal.Printable(to), counted(w.Len(), "member"), w.stored(), before, ratio(w.stored(), before))
	return err
}

// replaceOpen rewrites an archive in place on systems that cannot replace an open file. The new archive has a
// temporary name until the old one is closed.
func (a *app) replaceOpen(path string, e npz.Encoder, z *archive, progress func(done, total int64)) error {
	temporary := path + ".part"
	if _, err := os.Lstat(temporary); err == nil {
		return fmt.Errorf("%s is there, perhaps of another run; remove it first", temporary)
	}
	defer a.temporaries.add(func() { os.Remove(temporary) })()
	err := e.Rewrite(temporary, z.Reader, progress)
	z.close()
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return err
}

// stored returns how many bytes the members take.
func (z *archive) stored() (n int64) {
	for _, e := range z.Entries() {
		n += e.CompressedSize
	}
	return n
}

func rmCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rm FILE.npz MEMBER...",
		Short: "Remove members from an archive",
		Long: `Rm writes the archive without the members, which takes its place when it is whole. The other members are copied as
they are.`,
		Example: "  npy rm model.npz optimizer/m optimizer/v\n  npy rm model.npz 'optimizer/*'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("rm wants an archive and the names of members")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.told(says(args[0], npz.Edit(args[0], func(ed *npz.Editor) error {
				for _, name := range expandMembers(args[1:], ed.Names()) {
					if !ed.Has(name) {
						return unknownMember(name, ed.Names())
					}
					if err := ed.Delete(name); err != nil {
						return err
					}
				}
				return nil
			})))
		},
	}
}

func mvCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "mv FILE.npz MEMBER NAME",
		Short:   "Give a member of an archive another name",
		Long:    `Mv writes the archive with the member under another name, and all members as they are.`,
		Example: "  npy mv model.npz arr_0 weights",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 3 {
				return fmt.Errorf("mv wants an archive, the name of a member, and its new name")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.told(says(args[0], npz.Edit(args[0], func(ed *npz.Editor) error {
				if !ed.Has(args[1]) {
					return unknownMember(args[1], ed.Names())
				}
				return ed.Rename(args[1], args[2])
			})))
		},
	}
}
