package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/spf13/cobra"
)

var filterSubcommand = subcommand{
	use:      "filter CONDITION IN [OUT]",
	short:    "Choose the rows that satisfy a condition",
	group:    rowsGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	existing: keepOut,
	make:     filterCommand,
}

func filterCommand(a *app) *cobra.Command {
	x := converting{memory: 256 << 20}
	c := &cobra.Command{
		Long: `Filter writes the rows of an array for which a condition is true, in their
order, to OUT, or prints them without OUT. A row is one index of the first axis, a record for example. The
condition names fields, or x for a plain array, with the operators of Python
and NumPy; 'npy help where' explains it. --where can give it instead.

The endings of IN and OUT choose the formats, as for 'npy convert'. Files of
any size are filtered in little memory; the matching rows of standard input
and of text are held in memory. A message tells how many rows there are. If no
row satisfies the condition, OUT is an array of length 0.

Rows that go from a CSV with names to a CSV, or from a TSV to a TSV, stay as they
were written, cell for cell; columns of --set are added to each line.`,
		Example: `  npy filter 'mag > 5 and lat < 0' quakes.npy strong.npy
  npy filter 'mag > 7' quakes.npy
  npy filter "time >= '2024-03-01'" quakes.npy spring.csv
  npy filter 'not isnan(x)' a.npy -
  npy filter --where 'any(x > 0)' matrix.npy positive.npy`,
		Args: func(_ *cobra.Command, args []string) error {
			n := len(args)
			if a.where != "" {
				n++
			}
			if n == 4 && a.where != "" {
				return errors.New("filter has two conditions; combine them with 'and'")
			}
			if n != 2 && n != 3 {
				return fmt.Errorf("filter wants a condition, IN and optionally OUT, and has %s", diagnose.Counted(len(args), "argument"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) (err error) {
			if a.where == "" {
				if err := a.where.Set(args[0]); err != nil {
					return fmt.Errorf("CONDITION: %w", err)
				}
				args = args[1:]
			}
			if x.In, err = input.Parse(args[0]); err != nil {
				return err
			}
			found := func(n, of int) {
				if !x.Quiet {
					a.talk("%d of %s", n, diagnose.Counted(of, "row"))
				}
			}
			if len(args) == 1 {
				return a.told(x.print(a, found))
			}
			x.Out = args[1]
			if err := x.complete(a); err != nil {
				return err
			}
			x.Opener.Found = found
			x.Opener.Lines = a.linesOf(x.To, x.EscapeFormulas)
			x.Opener.Needs = &input.Needs{Rows: true}
			return a.told(x.Run(a.ctx))
		},
	}
	f := c.Flags()
	f.StringVar(&x.from, "from", "", "`format` of IN: "+strings.Join(a.formatNames(), ", ")+" (by its ending)")
	f.StringVar(&x.to, "to", "", "`format` of OUT (by its ending)")
	f.StringVarP(&x.Member, "name", "n", "", "`name` of the array in OUT, if that has several (that of IN without its ending)")
	addFormulas(c, &x.EscapeFormulas)
	x.Objects.Add(a.limits, c)
	x.Objects.AlsoText(c)
	a.addAs(c)
	a.addWhere(c)
	f.VarP(&x.memory, "memory", "m", "use up to this many `bytes` of memory for blocks: 512M, 2G")
	f.BoolVarP(&x.Quiet, "quiet", "q", false, "do not tell how many rows there are, nor what cannot be kept")
	return c
}

// print prints the rows of IN that satisfy the condition.
func (x *converting) print(a *app, found func(n, of int)) error {
	if x.from+x.to+x.Member != "" || x.EscapeFormulas {
		return errors.New("--from, --to, --name and --escape-formulas need OUT, which may be -")
	}
	o := a.opener(a.decoder(0, x.Objects.Decoder()))
	o.Found = found
	src, err := o.Source(a.ctx, x.In)
	if err != nil {
		return diagnose.Of(x.In.Path, err)
	}
	defer src.Close()
	return diagnose.Of(x.In.Path, a.print(src))
}
