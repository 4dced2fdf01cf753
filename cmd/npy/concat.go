package main

import (
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
)

var concatSubcommand = subcommand{
	use:   "concat OUT IN...",
	short: "Join arrays along an axis into a new file",
	group: writeGroup,
	reads: arrays | rawFiles | text,
	from:  anywhere,
	to:    anywhere,
	make:  concatCommand,
}

func concatCommand(a *app) *cobra.Command {
	var axis int
	var c npy.Copier
	var order, descr string
	memory := limits.Size(256 << 20)
	var force bool
	cmd := &cobra.Command{
		Long: `Concat joins the arrays of several files along an axis, as np.concatenate does. The other axes must be equal. The dtypes
must be equal, too, unless --dtype gives a dtype that holds every value. Files of any size are joined in little memory. OUT
is written under another name and renamed at the end. An existing OUT is replaced only with --force.`,
		Example: "  npy concat year.npy jan.npy feb.npy mar.npy\n  npy concat --axis -1 wide.npy left.npy 'right.npy[:, 2:]'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("concat wants a name for the result and at least one array file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var err error
			if c.Order, err = flags.ParseOrder(order); err != nil {
				return err
			}
			if descr != "" {
				if c.DType, err = dtype.Parse(descr); err != nil {
					return fmt.Errorf("--dtype: %s", diagnose.Text(err))
				}
			}
			c.Memory = int64(memory)
			return a.concat(c, axis, force, args[0], args[1:])
		},
	}
	addForce(cmd.Flags(), &force)
	cmd.Flags().IntVarP(&axis, "axis", "a", 0, "join along this `axis`; -1 is the last")
	a.addAs(cmd)
	cmd.Flags().StringVarP(&descr, "dtype", "d", "", "the `dtype` of the result, as numpy.dtype takes it, or a descr")
	cmd.Flags().StringVar(&order, "order", "", "memory `order` of the result: C or F (that of IN)")
	cmd.Flags().VarP(&memory, "memory", "m", "use up to this many `bytes` of memory: 512M, 2G")
	a.addTable(cmd)
	return cmd
}

// concatTo writes the arrays one after another to a file. At a URL it writes forward.
func (a *app) concatTo(c npy.Copier, out string, axis int, files []npy.Source) error {
	if !remote.IsURL(out) {
		return c.Concat(a.ctx, out, axis, files...)
	}
	all, err := npy.Concat(axis, files...)
	if err != nil {
		return err
	}
	return a.copyTo(c, out, all)
}

func (a *app) concat(c npy.Copier, axis int, force bool, out string, args []string) error {
	if out == "-" {
		return fmt.Errorf("concat cannot write to standard output; name a file")
	}
	if err := a.checkTerminal(out, conversion.NPY, ""); err != nil {
		return err
	}
	var files []npy.Source
	for _, arg := range args {
		t, err := input.Parse(arg)
		if err != nil {
			return err
		}
		if input.SameFile(t.Path, out) {
			return fmt.Errorf("%s: IN and OUT are the same file; give another name for OUT", arg)
		}
		o := a.opener(a.decoder(0, nil))
		if o.Text.DType = c.DType; !c.DType.IsValid() && len(files) > 0 { // text has no dtype
			o.Text.DType = files[0].DType()
		}
		f, err := o.Source(a.ctx, t)
		if err != nil {
			return diagnose.FileError{File: t.Path, Err: diagnose.Explain(err)}
		}
		defer f.Close()
		files = append(files, f.Source)
	}
	if err := a.checkNew(out, force, ""); err != nil {
		return err
	}
	bar := a.progress(diagnose.FileName(out))
	defer bar.Clear()
	c.Progress = bar.Set
	err := a.concatTo(c, out, axis, files)
	if err == nil {
		return nil
	}
	for i, f := range files {
		if first := files[0].DType(); !c.DType.IsValid() && !f.DType().Equal(first) {
			err = fmt.Errorf("array %d of %d: dtype %s, want %s; --dtype converts all arrays", i+1, len(files), f.DType(), first)
			break
		}
	}
	return diagnose.Of(out, diagnose.Explain(err))
}
