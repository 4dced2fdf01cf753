package main

import (
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/dtype"
	"github.com/spf13/cobra"
)

var castSubcommand = subcommand{
	use:      "cast DTYPE IN OUT",
	short:    "Convert the elements to another dtype",
	group:    writeGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	complete: (*app).completeDType,
	existing: replaceOut,
	make:     castCommand,
}

func castCommand(a *app) *cobra.Command {
	var e edit
	casting := npy.SameKindCasting.String()
	c := e.command(a, &cobra.Command{
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
