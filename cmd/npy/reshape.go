package main

import (
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/spf13/cobra"
)

var reshapeSubcommand = subcommand{
	use:      "reshape SHAPE IN OUT",
	short:    "Give an array another shape",
	group:    writeGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	minus:    true,
	existing: replaceOut,
	make:     reshapeCommand,
}

func reshapeCommand(a *app) *cobra.Command {
	var e edit
	var order string
	c := e.command(a, &cobra.Command{
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
