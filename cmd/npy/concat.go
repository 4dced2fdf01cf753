package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	use:      "concat IN... OUT",
	short:    "Join arrays along an axis into a new file",
	group:    writeGroup,
	reads:    arrays | rawFiles | text,
	from:     anywhere,
	to:       anywhere,
	existing: keepOut,
	make:     concatCommand,
}

func concatCommand(a *app) *cobra.Command {
	var axis int
	var c npy.Copier
	var order, descr string
	memory := limits.Size(256 << 20)
	cmd := &cobra.Command{
		Long: `Concat joins the arrays of several files along an axis, as np.concatenate does. The other axes must be equal. The dtypes
must be equal, too, unless --dtype gives a dtype that holds every value. Files of any size are joined in little memory. OUT
is written under another name and renamed at the end. An existing OUT is replaced only with --force.`,
		Example: "  npy concat jan.npy feb.npy mar.npy year.npy\n  npy concat -o year.npy '2024/*.npy'\n  npy concat --axis -1 left.npy 'right.npy[:, 2:]' wide.npy",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("concat wants at least one array file, and OUT, the name of the result")
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
			last := len(args) - 1
			return a.concat(c, axis, args[last], args[:last])
		},
	}
	cmd.Flags().IntVarP(&axis, "axis", "a", 0, "join along this `axis`; -1 is the last")
	a.addAs(cmd)
	cmd.Flags().StringVarP(&descr, "dtype", "d", "", "the `dtype` of the result, as numpy.dtype takes it, or a descr")
	cmd.Flags().StringVar(&order, "order", "", "memory `order` of the result: C or F (that of IN)")
	cmd.Flags().VarP(&memory, "memory", "m", "use up to this many `bytes` of memory: 512M, 2G")
	return cmd
}

// concatTo writes the arrays one after another to a file. At a URL it writes forward.
func (a *app) concatTo(c npy.Copier, out string, axis int, files []npy.Source) error {
	if z, _ := input.CompressionOf(out); z == nil && !remote.IsURL(out) {
		return c.Concat(a.ctx, out, axis, files...)
	}
	all, err := npy.Concat(axis, files...)
	if err != nil {
		return err
	}
	return a.copyTo(c, out, all)
}

// outFirst returns an error if the arguments are in the order of cat -o: OUT, a new file, first.
func (a *app) outFirst(out string, args []string) error {
	if len(args) == 0 || remote.IsURL(args[0]) || remote.IsURL(out) || args[0] == "-" || !input.Exists(out) {
		return nil
	}
	if t, err := input.Parse(args[0]); err != nil || input.Exists(t.Path) {
		return nil
	}
	all := slices.Concat(args[1:], []string{out, args[0]})
	return fmt.Errorf("%s: no such file; if it is the result, it comes last: npy concat %s", args[0], strings.Join(all, " "))
}

func (a *app) concat(c npy.Copier, axis int, out string, args []string) error {
	if err := a.outFirst(out, args); err != nil {
		return err
	}
	if out == "-" {
		return fmt.Errorf("concat cannot write to standard output; name a file")
	}
	if err := a.checkTerminal(out, conversion.NPY, ""); err != nil {
		return err
	}
	if err := a.checkArray(out); err != nil {
		return err
	}
	var files []npy.Source
	for _, arg := range args {
		t, err := input.Parse(arg)
		if err != nil {
			return err
		}
		if err := checkSame(out, t.Path); err != nil {
			return fmt.Errorf("%s: %w", arg, err)
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
	if err := a.checkOut(out, ""); errors.Is(err, errExists) {
		// The advice of errExists would replace the last array if OUT was forgotten.
		return diagnose.Of(out, errors.New("the file exists; name a new file after the arrays, for the result"))
	} else if err != nil {
		return err
	}
	bar := a.progress(diagnose.FileName(out))
	defer bar.Clear()
	c.Progress = bar.Set
	return diagnose.Of(out, diagnose.Explain(a.concatTo(c, out, axis, files)))
}
