package main

import (
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/spf13/cobra"
)

// The subcommands head and tail are show with some of its flags.

var headSubcommand = subcommand{
	use:    "head FILE...",
	short:  "Print the first rows",
	group:  lookGroup,
	reads:  arrays | text | pickles,
	from:   anywhere,
	json:   []jsonObject{{"", shownJSON{}}},
	counts: true,
	make:   headCommand,
}

func headCommand(a *app) *cobra.Command {
	var x showing
	return endCommand(a, &x, &x.head, &cobra.Command{
		Long: `Head prints the first rows of an array, as 'npy show --head' does, and reads
no others. A row is one index of the first axis, a record for example. A
negative number prints all rows but the last ones.`,
		Example: "  npy head quakes.npy\n  npy head -n 3 model.npz:weights",
	})
}

// endCommand adds the flags and the run function to head or tail, for one end of an array.
func endCommand(a *app, x *showing, end *rows, c *cobra.Command) *cobra.Command {
	*end, x.graphics = rows{n: 10, given: true}, pictures.AutoGraphics
	var objects flags.Objects
	c.Args = someFiles
	c.RunE = func(c *cobra.Command, args []string) error { return x.run(a, c, args, a.decoder(0, objects.Decoder())) }
	f := c.Flags()
	f.VarP(end, "number", "n", "print this many `rows` (10)")
	f.StringVarP(&x.slice, "slice", "s", "", "show only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.IntVarP(&x.Precision, "precision", "p", 0, "most `digits` after the decimal point (0: 8, negative: all)")
	f.StringVar(&x.color, "color", "auto", "`when` to use colours: auto, always, never")
	f.BoolVar(&x.noPager, "no-pager", false, "never start a pager")
	f.BoolVar(&x.asJSON, "json", false, "print one JSON object per array, with all of its values")
	if end == &x.tail {
		f.BoolVar(&x.follow, "follow", false, "then print each row that is appended, until Ctrl-C")
	}
	a.addAs(c)
	a.addWhere(c)
	objects.Add(a.limits, c)
	return c
}
