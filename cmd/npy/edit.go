package main

import (
	"fmt"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/dtype"
	"github.com/spf13/cobra"
)

// The subcommands cast, reshape, transpose and fields make one array file of another. Each sets some settings of a
// Copier.

// An edit holds the settings that these subcommands share.
type edit struct {
	npy.Copier
	memory  limits.Size
	reverse bool // reverse the axes
	pick    func(dtype.Type) (fields []string, rename map[string]string, err error)
	needs   *input.Needs                         // the fields that are used; nil for all
	objects func(*npy.Array) (*npy.Array, error) // converts objects to plain elements; nil if the subcommand does not
}

// command adds the flags and the run function to a subcommand. The subcommand has low to high arguments before IN and
// OUT; set turns these arguments into settings. One of them may also be between IN and OUT.
func (e *edit) command(a *app, c *cobra.Command, low, high int, wants string, set func(args []string) error) *cobra.Command {
	e.memory = 256 << 20
	c.Args = func(_ *cobra.Command, args []string) error {
		if n := len(args) - 2; n < low || n > high {
			return fmt.Errorf("%s wants %s, and has %s", c.Name(), wants, diagnose.Counted(len(args), "argument"))
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		e.Memory = int64(e.memory)
		names := args[len(args)-2:]
		err := set(args[:len(args)-2])
		if err != nil && len(args) == 3 && set(args[1:2]) == nil {
			names[0], err = args[0], nil
		}
		if err != nil {
			return err
		}
		return a.told(e.run(a, names[0], names[1]))
	}
	a.addAs(c)
	c.Flags().VarP(&e.memory, "memory", "m", "use up to this many `bytes` of memory: 512M, 2G")
	return c
}

// run copies an array file, with the changes.
func (e *edit) run(a *app, in, out string) error {
	t, err := input.Parse(in)
	if err == nil {
		err = a.checkTerminal(out, conversion.NPY, "")
	}
	if err != nil {
		return err
	}
	if err := checkSame(out, t.Path); err != nil {
		return err
	}
	if err := a.checkArray(out); err != nil {
		return err
	}
	if err := a.checkOut(out, ""); err != nil {
		return err
	}
	src, err := e.open(a, t)
	if err != nil {
		return diagnose.Of(t.Path, diagnose.NoObjects(err))
	}
	defer src.Close()
	if err := e.fit(src); err != nil {
		return diagnose.Of(t.Path, err)
	}
	bar := a.progress(diagnose.FileName(out))
	defer bar.Clear()
	e.Progress = bar.Set
	return diagnose.OfEither(t.Path, out, a.copyTo(e.Copier, out, src.Source))
}

// fit completes the settings that depend on IN.
func (e *edit) fit(src npy.Source) (err error) {
	if e.reverse {
		e.Axes = []int{}
		for axis := range slices.Backward(src.Shape()) {
			e.Axes = append(e.Axes, axis)
		}
	}
	if e.pick != nil {
		e.Fields, e.Rename, err = e.pick(src.DType())
	}
	return err
}

// open opens IN. Arrays of objects are read whole if the subcommand converts them to plain elements.
func (e *edit) open(a *app, t input.Target) (*input.Array, error) {
	if e.objects == nil {
		o := a.opener(a.decoder(0, nil))
		o.Needs = e.needs
		return o.Source(a.ctx, t)
	}
	in, err := a.opener(a.decoder(0, a.limits.Objects())).Source(a.ctx, t)
	if err != nil || !in.DType().HasObject() {
		return in, err
	}
	defer in.Close()
	array, err := in.ReadAll(a.ctx)
	if err == nil {
		array, err = e.objects(array)
	}
	if err != nil {
		return nil, err
	}
	return &input.Array{Source: array, Header: npy.HeaderOf(array)}, nil
}
