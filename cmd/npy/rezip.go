package main

import (
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

var rezipSubcommand = subcommand{
	use:      "rezip FILE.npz [OUT.npz]",
	short:    "Change how an archive is compressed",
	group:    containerGroup,
	reads:    archives,
	from:     here,
	to:       here,
	inPlace:  true,
	existing: keepOut,
	make:     rezipCommand,
}

func rezipCommand(a *app) *cobra.Command {
	var x flags.Compression
	var quiet bool
	c := &cobra.Command{
		Long: `Rezip writes an archive again with another compression. Compressed members are in pieces, so that parts of an array can be read
without the rest. With --store members are not compressed and can be mapped into memory. The contents of members do not
change. Without OUT the new archive replaces FILE when it is complete.`,
		Example: "  npy rezip run.npz\n  npy rezip --store model.npz mapped.npz\n  npy rezip --level 9 a.npz small.npz",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return fmt.Errorf("rezip wants an archive and optionally OUT, and has %d names", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			e, err := x.Encoder()
			if err != nil {
				return err
			}
			from, to := args[0], args[len(args)-1]
			if to == "-" || isOpen(to) {
				return fmt.Errorf("rezip cannot write to standard output; name a file")
			}
			if len(args) == 2 && from != to {
				if err := a.checkOut(to, ""); err != nil {
					return err
				}
			}
			return a.told(diagnose.Of(from, a.rezip(from, to, e, quiet)))
		},
	}
	x.Add(c)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "do not print the old and the new size")
	return c
}

func (a *app) rezip(from, to string, e npz.Encoder, quiet bool) error {
	z, err := a.opener(npy.Decoder{}).OpenArchive(from)
	if err != nil {
		return err
	}
	defer z.Close()
	before := stored(z.NPZ())
	bar := a.progress(to)
	if input.SameFile(from, to) {
		z.Close()
		err = e.Edit(to, func(ed *npz.Editor) error { return ed.Recompress(a.limits.Archive(), bar.Set) })
	} else {
		err = e.Rewrite(to, z.NPZ(), bar.Set)
	}
	bar.Clear()
	if err != nil || quiet {
		return err
	}
	w, err := a.opener(npy.Decoder{}).OpenArchive(to)
	if err != nil {
		return err
	}
	defer w.Close()
	_, err = fmt.Fprintf(a.out, "%s: %s, %d bytes stored, were %d (%s)\n", terminal.Printable(to), diagnose.Counted(w.NPZ().Len(), "member"), stored(w.NPZ()), before, ratio(stored(w.NPZ()), before))
	return err
}

// stored returns how many bytes the members take.
func stored(z *npz.Reader) (n int64) {
	for _, e := range z.Entries() {
		n += e.CompressedSize
	}
	return n
}
