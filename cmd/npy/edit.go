package main

import (
	"fmt"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/dtype"
	"github.com/spf13/cobra"
)

// The subcommands cast, reshape, transpose and fields make one array file of another. Each sets some settings of a
// Copier.

// An edit holds what these subcommands have in common.
type edit struct {
	npy.Copier
	memory  limits.Size
	reverse bool // reverse the axes
	pick    func(dtype.Type) (fields []string, rename map[string]string, err error)
	objects func(*npy.Array) (*npy.Array, error) // converts objects to plain elements; nil if the subcommand does not
}

// command adds the flags and the run function to a subcommand. The subcommand has low to high arguments before IN and
// OUT; set turns these arguments into settings.
func (e *edit) command(a *app, c *cobra.Command, low, high int, wants string, set func(args []string) error) *cobra.Command {
	e.memory = 256 << 20
	c.Args = func(_ *cobra.Command, args []string) error {
		if n := len(args) - 2; n < low || n > high {
			return fmt.Errorf("%s wants %s, and has %s", c.Name(), wants, diagnose.Counted(len(args), "argument"))
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		names := args[len(args)-2:]
		if err := set(args[:len(args)-2]); err != nil {
			return err
		}
		e.Memory = int64(e.memory)
		return a.told(e.run(a, names[0], names[1]))
	}
	a.addAs(c)
	c.Flags().VarP(&e.memory, "memory", "m", "use up to this many `bytes` of memory: 512M, 2G")
	a.addTable(c)
	return c
}

// run copies an array file, with the changes.
func (e *edit) run(a *app, in, out string) error {
	t, err := input.Parse(in)
	if err == nil {
		err = a.checkTerminal(out, conversion.NPY, "")
	}
	switch {
	case err != nil:
		return err
	case input.SameFile(t.Path, out):
		return fmt.Errorf("IN and OUT are the same file; give another name for OUT")
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
	if out == "-" {
		err = e.Write(a.ctx, a.out, src.Source)
	} else {
		err = a.copyTo(e.Copier, out, src.Source)
	}
	return diagnose.OfEither(t.Path, out, err)
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
		return a.opener(a.decoder(0, nil)).Any(a.ctx, t, dtype.Type{})
	}
	in, err := a.opener(a.decoder(0, a.limits.Objects())).Any(a.ctx, t, dtype.Type{})
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

func castCommand(a *app) *cobra.Command {
	var e edit
	casting := npy.SameKindCasting.String()
	c := e.command(a, &cobra.Command{
		Use:   "cast DTYPE IN OUT",
		Short: "Convert the elements to another dtype",
		Long: `Cast converts the elements of an array to another dtype, as np.astype does, in files of any size.

--casting is NumPy's name for what may happen to values:

  safe        only dtypes that hold every value of the old one, as with
              'npy convert --dtype'
  same_kind   also rounding: float64 to float32, int64 to int16 or float32,
              real to complex, times to coarser units (rounded down), numbers
              to text; a value that does not fit is an error
  unsafe      anything: integers keep their low bits, floats lose their
              fractions, complex numbers their imaginary parts, text is cut,
              text becomes numbers and times, times become numbers

Fields of records are matched by position. With unsafe, floats outside the range of an integer dtype become its nearest value
and NaN becomes 0, on every processor. Times that do not fit in the new unit are an error, as in NumPy 2.5.

Arrays of NumPy's StringDType, and of Python objects that are all str, can become U or S. U5 is text of 5 characters; U without
a length is as long as the longest element, or for other dtypes as long as the longest text can be. DTYPE may be a type of
ml_dtypes such as bfloat16, which NumPy writes as void (<V2). Use --as if IN has such elements.`,
		Example: `  npy cast float32 a.npy half.npy
  npy cast 'M8[s]' times.npy seconds.npy
  npy cast bfloat16 weights.npy small.npy
  npy cast --casting unsafe u1 'a.npy[:, 0]' bytes.npy`,
	}, 1, 1, "a dtype, IN and OUT", func(args []string) (err error) {
		if e.DType, err = dtype.Parse(args[0]); err != nil {
			return fmt.Errorf("DTYPE: %s", diagnose.Text(err))
		}
		if e.Casting, err = npy.ParseCasting(casting); err != nil {
			return fmt.Errorf("--%s", diagnose.Text(err))
		}
		e.objects = func(array *npy.Array) (*npy.Array, error) {
			array, err := array.Cast(e.DType, e.Casting)
			e.DType = dtype.Type{} // array has it already
			return array, err
		}
		return nil
	})
	c.Flags().StringVar(&casting, "casting", casting, "the `rule` for what may happen to values: safe, same_kind or unsafe")
	return c
}

func reshapeCommand(a *app) *cobra.Command {
	var e edit
	var order string
	c := e.command(a, &cobra.Command{
		Use:   "reshape SHAPE IN OUT",
		Short: "Give an array another shape",
		Long: `Reshape writes the same elements with another shape, as np.reshape does, in files of any size. One length may be -1 and is
computed from the others: npy reshape -1 grid.npy flat.npy.

With --order F the first index changes fastest, in IN and in OUT. The memory order of OUT is the one that np.save gives the
result: that of IN if no element has to move. 'npy convert --order' changes it.`,
		Example: "  npy reshape 28,28,-1 flat.npy images.npy\n  npy reshape --order F 3,4 a.npy f.npy",
	}, 1, 1, "a shape, IN and OUT", func(args []string) (err error) {
		if e.Shape, err = flags.ParseIntegers("SHAPE", args[0]); err == nil {
			e.Order, err = flags.ParseOrder(order)
		}
		return err
	})
	c.Flags().StringVar(&order, "order", "", "the `order` in which elements are read and written: C or F (C)")
	return c
}

func transposeCommand(a *app) *cobra.Command {
	var e edit
	return e.command(a, &cobra.Command{
		Use:   "transpose [AXES] IN OUT",
		Short: "Change the order of the axes",
		Long: `Transpose writes the array with its axes in another order, as np.transpose does, in files of any size. Without AXES the order
is reversed; then only the header changes, because C order becomes Fortran order and the reverse. 'npy convert --order C'
writes the elements in C order.`,
		Example: "  npy transpose a.npy t.npy\n  npy transpose 2,0,1 hwc.npy chw.npy",
	}, 0, 1, "IN and OUT, and optionally axes", func(args []string) (err error) {
		if len(args) == 0 {
			e.reverse = true
			return nil
		}
		e.Axes, err = flags.ParseIntegers("AXES", args[0])
		return err
	})
}

// enclose puts arguments such as -1,3 into parentheses, so that they are not taken for flags.
func enclose(args []string) []string {
	if len(args) == 0 || args[0] != "reshape" && args[0] != "transpose" {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if len(arg) > 1 && arg[0] == '-' && '0' <= arg[1] && arg[1] <= '9' {
			args[i] = "(" + arg + ")"
		}
	}
	return args
}
