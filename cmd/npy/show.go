package main

import (
	"bufio"
	"fmt"

	"github.com/npygo/npy"
	"github.com/spf13/cobra"
)

func showCommand(a *app) *cobra.Command {
	var slice string
	var full bool
	var p npy.Printer
	var maxHeader int
	var objects objectFlags
	c := &cobra.Command{
		Use:   "show FILE...",
		Short: "Print the values as NumPy does; records as a table",
		Long: `Show prints the values of an array as NumPy prints them: large ones with only their edges, unless --full
is given, and reads no more than it prints. Arrays of records are printed as a table, one column per field. Python objects are printed as Python's
repr does, from what their pickle says; nothing in it is run. A pickle that is no .npy file is shown, too.`,
		Example: `  npy show a.npy
  npy show 'a.npy[0:10, ..., ::2]'
  npy show --full --precision 3 a.npy
  npy show 'model.npz:weights[0]'`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if full {
				p.Threshold = -1
			}
			d := npy.Decoder{MaxHeader: maxHeader, Objects: objects.decoder()}
			shown := 0
			return a.arrays(args, slice, d, func(t target) error {
				titled := len(args) > 1 || t.whole && t.archive.Len() > 1
				err := a.show(t, p, d, shown, titled)
				if err == nil {
					shown++
				}
				return err
			})
		},
	}
	f := c.Flags()
	f.StringVarP(&slice, "slice", "s", "", "show only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.BoolVar(&full, "full", false, "show every element")
	f.IntVarP(&p.Precision, "precision", "p", 0, "at most so many `digits` after the point (0: 8, negative: all there are)")
	f.IntVar(&p.EdgeItems, "edge", 0, "so many `items` at each end of what is shortened (0: 3)")
	f.BoolVar(&p.Float128, "float128", false, "take <f16 and <c32 for IEEE binary128, from aarch64, s390x or riscv64")
	f.IntVar(&p.LineWidth, "width", 0, "characters in a `line` (0: 75)")
	addMaxHeader(c, &maxHeader)
	objects.add(c)
	return c
}

// show prints one array, with its name above it if there are several.
func (a *app) show(t target, p npy.Printer, d npy.Decoder, shown int, titled bool) error {
	array, p, err := a.loadEdges(t, p, d)
	if err != nil {
		return says(t.name(), err)
	}
	w := bufio.NewWriter(a.out)
	if titled {
		if shown > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s%s:\n", printable(fileName(t.name())), printable(t.sub))
	}
	if err := p.Print(w, array); err != nil {
		return err
	}
	return w.Flush()
}
