package main

import (
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/format"
	"github.com/spf13/cobra"
)

func repairCommand(a *app) *cobra.Command {
	var p npy.Repairer
	var asJSON bool
	c := &cobra.Command{
		Use:   "repair IN OUT",
		Short: "Save the whole rows of a damaged file",
		Long: `Repair writes a new file with all complete rows of IN and the header that NumPy would write. It repairs files that are cut
short, that have more bytes than their header says, or whose header is not as NumPy writes it. With --longer the bytes after
the array are read as more rows. Repair prints what it found. IN is not changed. 'npy verify' checks a file without writing.`,
		Example: `  npy repair broken.npy rows.npy
  npy repair --longer killed.npy all.npy`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("repair wants two names, IN and OUT, and has %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if input.SameFile(args[0], args[1]) {
				return fmt.Errorf("IN and OUT are the same file; give another name for OUT")
			}
			r, err := p.RepairFile(args[0], args[1])
			switch {
			case diagnose.IsFull(err) || diagnose.Names(err, args[1]):
				return a.told(diagnose.Of(args[1], err))
			case err != nil:
				return a.told(diagnose.Of(args[0], diagnose.Explain(err)))
			}
			if asJSON {
				return terminal.NewJSON(a.out).Encode(newRepaired(args[0], args[1], r))
			}
			fmt.Fprintf(a.out, "%s: %s, shape %s\n", terminal.Printable(args[1]), terminal.Printable(numbers.TypeText(r.New.DType)), format.ShapeString(r.New.Shape))
			for _, line := range findings(r) {
				fmt.Fprintln(a.out, "  "+line)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&p.Longer, "longer", false, "read the bytes after the array as more rows")
	c.Flags().BoolVar(&asJSON, "json", false, "print what was found as a JSON object")
	flags.MaxHeader(c, &p.MaxHeader)
	return c
}

// A repaired is the JSON form of a repair; its keys are a promise.
type repaired struct {
	File     string `json:"file"`
	Out      string `json:"out"`
	DType    string `json:"dtype"`
	Shape    []int  `json:"shape"`    // of the array that was saved
	Lost     int    `json:"lost"`     // rows
	Found    int    `json:"found"`    // rows
	Cut      int64  `json:"cut"`      // bytes
	Trailing int64  `json:"trailing"` // bytes
	Respelt  bool   `json:"respelt"`
}

func newRepaired(file, out string, r npy.Repair) repaired {
	return repaired{file, out, r.New.DType.Name(), r.New.Shape, r.Lost, r.Found, r.Cut, r.Trailing, r.Respelt}
}

// findings lists the faults that were found.
func findings(r npy.Repair) []string {
	if r.Whole() {
		return []string{"nothing was wrong"}
	}
	var lines []string
	add := func(is bool, format string, args ...any) {
		if is {
			lines = append(lines, fmt.Sprintf(format, args...))
		}
	}
	add(r.Lost > 0, "%s of %s lost: the file ends before", diagnose.Counted(r.Lost, "row"), format.ShapeString(r.Old.Shape))
	add(r.Found > 0, "%s found after the array", diagnose.Counted(r.Found, "row"))
	add(r.Cut > 0, "%s of an incomplete row left out", diagnose.Bytes(r.Cut))
	add(r.Trailing > 0, "%s after the array left out", diagnose.Bytes(r.Trailing))
	add(r.Respelt, "the header was rewritten")
	return lines
}
