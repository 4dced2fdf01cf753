package main

import (
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/spf13/cobra"
)

var transposeSubcommand = subcommand{
	use:      "transpose [AXES] IN OUT",
	short:    "Change the order of the axes",
	group:    writeGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	minus:    true,
	existing: replaceOut,
	make:     transposeCommand,
}

func transposeCommand(a *app) *cobra.Command {
	var e edit
	return e.command(a, &cobra.Command{
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
