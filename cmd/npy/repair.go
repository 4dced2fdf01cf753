package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

var repairSubcommand = subcommand{
	use:      "repair IN OUT",
	short:    "Save what is whole in a damaged file",
	group:    writeGroup,
	reads:    npyFiles | archives,
	from:     here,
	to:       here,
	json:     []jsonObject{{"", repaired{}}, {"", repairedArchive{}}, {"members", repairedMember{}}},
	existing: replaceOut,
	make:     repairCommand,
}

func repairCommand(a *app) *cobra.Command {
	var p npy.Repairer
	var asJSON bool
	c := &cobra.Command{
		Long: `Repair writes a new file with all complete rows of IN and the header that NumPy would write. It repairs files that are cut
short, that have more bytes than their header says, or whose header is not as NumPy writes it. With --longer the bytes after
the array are read as more rows.

Of an archive (.npz), repair saves the members that are whole, and the complete rows of arrays that are cut short. It finds
members even if the directory at the end of the archive is missing. A member with a wrong checksum is left out.

Repair prints what it found. IN is not changed. 'npy verify' checks a file without writing.`,
		Example: `  npy repair broken.npy rows.npy
  npy repair --longer killed.npy all.npy
  npy repair cut.npz members.npz`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("repair wants two names, IN and OUT, and has %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if args[1] == "-" || isOpen(args[1]) {
				return errors.New("repair prints what it found on standard output; name a file for the array")
			}
			if err := checkSame(args[1], args[0]); err != nil {
				return err
			}
			if err := a.checkOut(args[1], ""); err != nil {
				return a.told(err)
			}
			if err := a.checkTerminal(args[1], conversion.NPY, ""); err != nil {
				return err
			}
			found, err := a.repair(p, args[0], args[1])
			switch {
			case diagnose.IsFull(err) || diagnose.Names(err, args[1]):
				return a.told(diagnose.Of(args[1], err))
			case err != nil:
				return a.told(diagnose.Of(args[0], diagnose.Explain(a.opener(npy.Decoder{}).InPlace(args[0], err))))
			case asJSON:
				return terminal.NewJSON(a.out).Encode(found)
			}
			return found.print(a.out)
		},
	}
	c.Flags().BoolVar(&p.Longer, "longer", false, "read the bytes after the array as more rows")
	c.Flags().BoolVar(&asJSON, "json", false, "print what was found as a JSON object")
	flags.MaxHeader(c, &p.MaxHeader)
	return c
}

// A finding is the result of examining a damaged file. It is also the JSON form.
type finding interface{ print(w io.Writer) error }

// repair repairs an array, or an archive if the file begins as one.
func (a *app) repair(p npy.Repairer, in, out string) (finding, error) {
	f, err := os.Open(in)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, _ := input.Peek(f, len(format.Magic))
	if !container.IsArchive(head) {
		r, err := p.RepairFile(in, out)
		return newRepaired(in, out, r), err
	}
	if !strings.EqualFold(filepath.Ext(out), ".npz") {
		return nil, fmt.Errorf("it is an archive, so OUT is one; give OUT a name that ends in .npz, not %s", out)
	}
	x := npz.Repairer{Decoder: a.limits.Archive()}
	x.Decoder.Array.MaxHeader = p.MaxHeader
	r, err := x.RepairFile(a.ctx, in, out)
	return newRepairedArchive(in, out, r), err
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

	repair npy.Repair
}

func newRepaired(file, out string, r npy.Repair) repaired {
	return repaired{file, out, r.New.DType.Name(), r.New.Shape, r.Lost, r.Found, r.Cut, r.Trailing, r.Respelt, r}
}

// print prints a line for the new array, and one for each fault.
func (r repaired) print(w io.Writer) error {
	h := r.repair.New
	fmt.Fprintf(w, "%s: %s, shape %s\n", terminal.Printable(r.Out), terminal.Printable(numbers.TypeText(h.DType)), format.ShapeString(h.Shape))
	if r.repair.Whole() {
		_, err := fmt.Fprintln(w, "  nothing was wrong")
		return err
	}
	_, err := fmt.Fprintln(w, "  "+strings.Join(findings(r.repair, "the file ends before"), "\n  "))
	return err
}

// findings lists the faults that were found. why is why rows are lost.
func findings(r npy.Repair, why string) []string {
	var lines []string
	add := func(is bool, format string, args ...any) {
		if is {
			lines = append(lines, fmt.Sprintf(format, args...))
		}
	}
	add(r.Lost > 0, "%s of %s lost: %s", diagnose.Counted(r.Lost, "row"), format.ShapeString(r.Old.Shape), why)
	add(r.Found > 0, "%s found after the array", diagnose.Counted(r.Found, "row"))
	add(r.Cut > 0, "%s of an incomplete row left out", diagnose.Bytes(r.Cut))
	add(r.Trailing > 0, "%s after the array left out", diagnose.Bytes(r.Trailing))
	add(r.Respelt, "the header was rewritten")
	return lines
}

// A repairedArchive is the JSON form of the repair of an archive; its keys are a promise.
type repairedArchive struct {
	File      string           `json:"file"`
	Out       string           `json:"out"`
	Directory string           `json:"directory,omitempty"` // its fault
	Members   []repairedMember `json:"members"`

	repair npz.Repair
}

// A repairedMember is a member of a repairedArchive.
type repairedMember struct {
	Member     string `json:"member"`
	Saved      bool   `json:"saved"`
	Error      string `json:"error,omitempty"` // why it was not saved
	Shape      []int  `json:"shape,omitempty"` // of the array, if rows were lost
	Lost       int    `json:"lost,omitempty"`  // rows
	Cut        int64  `json:"cut,omitempty"`   // bytes
	Unverified bool   `json:"unverified,omitempty"`
}

func newRepairedArchive(file, out string, r npz.Repair) repairedArchive {
	x := repairedArchive{File: file, Out: out, Members: []repairedMember{}, repair: r}
	if r.Directory != nil {
		x.Directory = diagnose.Text(r.Directory)
	}
	for _, m := range r.Members {
		y := repairedMember{Member: m.Name, Saved: m.Err == nil, Unverified: m.Unverified}
		if m.Err != nil {
			y.Error = diagnose.Text(m.Err)
		}
		if m.Array != nil {
			y.Shape, y.Lost, y.Cut = m.Array.New.Shape, m.Array.Lost, m.Array.Cut
		}
		x.Members = append(x.Members, y)
	}
	return x
}

// print prints a line for the archive, and one for each member with a fault.
func (x repairedArchive) print(w io.Writer) error {
	fmt.Fprintf(w, "%s: %d of %s\n", terminal.Printable(x.Out), x.repair.Saved(), diagnose.Counted(len(x.Members), "member"))
	if x.repair.Whole() {
		_, err := fmt.Fprintln(w, "  nothing was wrong")
		return err
	}
	if x.Directory != "" {
		fmt.Fprintln(w, "  the directory is missing or damaged; the members were found by their headers")
	}
	for i, m := range x.repair.Members {
		for _, line := range memberFindings(m, x.Members[i].Error) {
			fmt.Fprintf(w, "  %s: %s\n", terminal.Printable(m.Name), terminal.Printable(line))
		}
	}
	return nil
}

// memberFindings lists the faults of a member. fault is why it was not saved.
func memberFindings(m npz.RepairedMember, fault string) []string {
	var lines []string
	if m.Array != nil {
		lines = findings(*m.Array, "the data is cut short or damaged")
	}
	if m.Unverified {
		lines = append(lines, "its checksum is not in the file, so its bytes could not be verified")
	}
	if fault != "" {
		lines = append(lines, "left out: "+fault)
	}
	return lines
}
