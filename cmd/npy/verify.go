package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/check"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/format"
	"github.com/spf13/cobra"
)

var verifySubcommand = subcommand{
	use:   "verify FILE...",
	short: "Check everything that can be wrong with a file",
	group: lookGroup,
	reads: arrays | pickles,
	from:  anywhere,
	json:  []jsonObject{{"", verified{}}, {"findings", check.Finding{}}},
	make:  verifyCommand,
}

func verifyCommand(a *app) *cobra.Command {
	var asJSON, quiet bool
	var maxHeader int
	var objects flags.Objects
	c := &cobra.Command{
		Long: `Verify reads each file to its end and checks the header, the length of the data, and the characters of text. Of an archive it
checks the directory and every member with its checksum, and of an ` + input.FormatNames("or") + ` file it reads every array. The exit code is 1 if there are errors. Notes report what is unusual
but allowed, such as data after the array, data that is not aligned, a header that NumPy reads only with an option, and names
that are not valid on Windows.

Changed elements are found where the file has a checksum of them: members of archives, compressed variables of MATLAB, files that
are compressed as a whole, chunks of HDF5 with gzip, bzip2 or fletcher32, and parts of manifests with checksums. Of every other
array verify says that it has no checksum, and of it the elements may be others than those that were written.

The pickle of Python objects is read as data. It must be complete and hold what the header says. A note tells what would run
code in Python; 'npy pickle' tells more.`,
		Example: `  npy verify a.npy
  npy verify --quiet *.npy *.npz
  npy verify --json model.npz`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			w := bufio.NewWriter(a.out)
			v := check.Verifier{Opener: a.opener(npy.Decoder{MaxHeader: maxHeader}), MaxHeader: maxHeader, Objects: objects}
			for _, arg := range args {
				t, err := input.Parse(arg)
				switch {
				case err != nil:
					return err
				case t.Index != nil:
					return fmt.Errorf("%s: files are verified as a whole; leave the index out", arg)
				}
				if err := v.Check(a.ctx, t); err != nil {
					return err
				}
				a.failed = a.failed || !v.OK()
				if err := printVerified(w, t, &v, asJSON, quiet); err != nil {
					return err
				}
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per file")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print nothing for files without errors")
	flags.MaxHeader(c, &maxHeader)
	objects.Add(a.limits, c)
	return c
}

// A verified is the JSON form of the result of verify; its keys are a promise.
type verified struct {
	File     string          `json:"file"`
	OK       bool            `json:"ok"`
	Findings []check.Finding `json:"findings"`
	NoSum    int             `json:"without_checksum"` // arrays
}

// printVerified prints the result for a target.
func printVerified(w io.Writer, file input.Target, v *check.Verifier, asJSON, quiet bool) error {
	if quiet && v.OK() {
		return nil
	}
	if asJSON {
		return terminal.NewJSON(w).Encode(verified{file.Path, v.OK(), append([]check.Finding{}, v.Findings...), v.NoSum})
	}
	verdict := "ok"
	if !v.OK() {
		verdict = "not ok"
	}
	name := terminal.Printable(diagnose.FileName(v.Name()))
	if c := v.Container(); c != nil && c.NPZ() == nil {
		verdict += fmt.Sprintf(": %s, %s", c.Format(), diagnose.Counted(v.Arrays, "array"))
	} else if c != nil {
		verdict += fmt.Sprintf(": %s, %s", diagnose.Counted(v.Members, "member"), diagnose.Counted(v.Arrays, "array"))
	} else if v.Arrays > 0 {
		h := v.First
		verdict += fmt.Sprintf(": %s %s, %s", terminal.Printable(numbers.TypeText(h.DType)), format.ShapeString(h.Shape), diagnose.Bytes(h.NBytes()))
	}
	switch {
	case v.NoSum == 0:
	case v.NoSum == v.Arrays:
		verdict += ", no checksum"
	default:
		verdict += fmt.Sprintf(", %d without a checksum", v.NoSum)
	}
	fmt.Fprintf(w, "%s: %s\n", name, verdict)
	for _, f := range v.Findings {
		place := fmt.Sprintf(" at byte %d", f.Offset)
		if f.Path != "" {
			place += " (" + f.Path + ")"
		}
		switch c := v.Container(); {
		case c != nil && c.NPZ() == nil && f.Member != nil:
			place = " in " + strconv.Quote(*f.Member)
		case c != nil && c.NPZ() == nil:
			place = ""
		case f.Member != nil:
			place += " of member " + strconv.Quote(*f.Member)
		}
		fmt.Fprintf(w, "  %s%s: %s\n", f.Level, place, terminal.Printable(f.Message))
	}
	return nil
}
