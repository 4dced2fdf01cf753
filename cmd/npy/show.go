package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/mmap"
	"github.com/spf13/cobra"
)

// A showing holds the flags of show.
type showing struct {
	npy.Printer
	decoder    npy.Decoder
	slice      string
	full       bool
	head, tail int // rows; negative for all
	color      string
	colored    bool
	noPager    bool
	asJSON     bool
	asImage    bool
	imageFlags
	titled bool // print the name above each array
	shown  int  // arrays so far
}

func showCommand(a *app) *cobra.Command {
	x := showing{head: -1, tail: -1}
	var maxHeader int
	var objects objectFlags
	c := &cobra.Command{
		Use:   "show FILE...",
		Short: "Print the values as NumPy does, or as a picture",
		Long: `Show prints the values of an array as NumPy prints them: large ones with only their edges, unless --full
is given, and reads no more than it prints. Arrays of records are printed as a table, one column per field. Python objects are printed as Python's
repr does, from what their pickle says; nothing in it is run. A pickle that is no .npy file is shown, too.

On a terminal lines are as wide as it is, NaN, infinities and the extremes of what is shown have colours, blocks of arrays with
more than two axes their index above them, and what is longer than the screen goes to $PAGER, or else to less. Elsewhere the text is that
of NumPy. --json prints one object per array, with all values.

With --image an array is a picture, as wide as the terminal: a colour for each number, or the array is red, green, blue and perhaps
opacity along a last axis of 3 or 4 (uint8, uint16 or floats from 0 to 1). Of more axes the first of the leading ones is shown; an index
names others. What has more elements than there are pixels is averaged up to 64 MB; of larger arrays some elements are read. Characters show two pixels
each, in 24-bit colour where no terminal says otherwise and as shades if $NO_COLOR is set; kitty, WezTerm and ghostty get an image.`,
		Example: `  npy show a.npy
  npy show 'a.npy[0:10, ..., ::2]'
  npy show --full --precision 3 a.npy
  npy show --tail 5 'model.npz:weights[0]'
  npy show --image --colormap magma --limits 1%,99% a.npy`,
		Args: someFiles,
		RunE: func(c *cobra.Command, args []string) error {
			x.decoder = a.decoder(maxHeader, objects.decoder())
			x.titled, x.MaxText = len(args) > 1, a.limits["MaxText"]
			if err := x.check(a, c); err != nil {
				return err
			}
			end := a.page(x.noPager || x.asImage)
			err := a.arrays(args, x.slice, x.decoder, func(t target) error { return a.show(t, &x) })
			return errors.Join(err, end())
		},
	}
	f := c.Flags()
	f.StringVarP(&x.slice, "slice", "s", "", "show only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.BoolVar(&x.full, "full", false, "show every element")
	f.IntVar(&x.head, "head", -1, "show the first so many `rows`")
	f.IntVar(&x.tail, "tail", -1, "show the last so many `rows`")
	f.Lookup("head").DefValue, f.Lookup("tail").DefValue = "0", "0" // not shown by help, because there is no default
	f.IntVarP(&x.Precision, "precision", "p", 0, "at most so many `digits` after the point (0: 8, negative: all there are)")
	f.IntVar(&x.EdgeItems, "edge", 0, "so many `items` at each end of what is shortened (0: 3)")
	f.BoolVar(&x.Float128, "float128", false, "take <f16 and <c32 for IEEE binary128, from aarch64, s390x or riscv64")
	f.IntVar(&x.NumPy, "numpy", 0, "print as NumPy `version` 1 or 2 does (0: 2)")
	f.IntVar(&x.LineWidth, "width", 0, "characters in a `line` (0: 75, or as many as the terminal has)")
	f.BoolVar(&x.Axes, "axes", false, "print the index of each block of the last two axes above it")
	f.StringVar(&x.color, "color", "auto", "`when` to use colours: auto, always or never")
	f.BoolVar(&x.noPager, "no-pager", false, "never start a pager")
	f.BoolVar(&x.asJSON, "json", false, "print one JSON object per array, with all of its values")
	f.BoolVar(&x.asImage, "image", false, "show a picture")
	x.imageFlags.add(c)
	addMaxHeader(c, &maxHeader)
	a.addAs(c)
	objects.add(a, c)
	return c
}

// check completes the settings that depend on the output.
func (x *showing) check(a *app, c *cobra.Command) (err error) {
	isTerminal := terminal.Is(a.out)
	if x.colored, err = terminal.WantsColor(x.color, isTerminal, os.Getenv); err != nil {
		return err
	}
	if x.head >= 0 && x.tail >= 0 {
		return errors.New("both --head and --tail name rows; give one")
	}
	if x.NumPy < 0 || x.NumPy > 2 {
		return fmt.Errorf("--numpy %d: want 1 or 2", x.NumPy)
	}
	if x.asImage && x.asJSON {
		return errors.New("--image and --json do not go together; give one")
	}
	if width, _, ok := terminal.Size(a.out); ok && x.LineWidth == 0 {
		x.LineWidth = width
	}
	if isTerminal && !c.Flags().Changed("axes") {
		x.Axes = true
	}
	if x.full {
		x.Threshold = -1
	}
	return x.imageFlags.check(c, x.asImage)
}

// show prints one array, with its name above it if there are several.
func (a *app) show(t target, x *showing) error {
	switch {
	case x.asImage:
		return a.showImage(t, x)
	case x.asJSON:
		err := a.showJSON(t, x)
		if isBrokenPipe(err) {
			return err
		}
		return says(t.name(), err)
	}
	return a.withShown(t, x, func(array *npy.Array, p npy.Printer) error {
		w := bufio.NewWriter(a.out)
		x.title(w, t)
		if x.colored {
			p.Mark = pictures.Highlights(array)
		}
		if err := p.Print(w, array); errors.Is(err, npy.ErrLimit) {
			return errors.Join(w.Flush(), says(t.name(), explain(err)))
		} else if err != nil {
			return err
		}
		return w.Flush()
	})
}

// title prints the name of an array if there are several, after an empty line unless it is the first.
func (x *showing) title(w *bufio.Writer, t target) {
	if x.titled || t.whole && t.archive.Len() > 1 {
		if x.shown > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s%s:\n", terminal.Printable(fileName(t.name())), terminal.Printable(t.sub))
	}
	x.shown++
}

// withShown calls do with the part of an array that is printed, and with the printer for it. The part is the edges,
// some rows, or everything. If it is everything, the array is mapped and may be larger than memory.
func (a *app) withShown(t target, x *showing, do func(*npy.Array, npy.Printer) error) error {
	switch {
	case x.head >= 0 || x.tail >= 0:
		array, err := a.loadRows(t, x)
		if err != nil {
			return says(t.name(), err)
		}
		p := x.Printer
		if array.NDim() == 1 && !x.full {
			p.Threshold = max(array.Len(), 1) // every requested row
		}
		return do(array, p)
	case x.full:
		if f := openMapped(t, x.decoder); f != nil {
			defer f.Close()
			err := f.Do(func(array *npy.Array) error {
				array, err := array.Slice(t.index...)
				if err != nil {
					return says(t.name(), err)
				}
				return do(array, x.Printer)
			})
			if fault := new(mmap.FaultError); errors.As(err, &fault) {
				return says(t.name(), err)
			}
			return err
		}
	}
	in, err := a.openArray(t, x.decoder)
	if err != nil {
		return says(t.name(), err)
	}
	defer in.Close()
	array, p, err := x.Printer.Edges(context.Background(), in.Source)
	if err != nil {
		return says(t.name(), explain(err))
	}
	return do(array, p)
}

// openMapped maps a file. It returns nil if the file cannot be read in parts.
func openMapped(t target, d npy.Decoder) *mmap.File {
	f, close := openFile(t, d, nil)
	if f == nil {
		return nil
	}
	close()
	m, err := mmap.Options{Array: d}.Open(t.path)
	if err != nil {
		return nil
	}
	return m
}

// loadRows reads the first or the last rows.
func (a *app) loadRows(t target, x *showing) (*npy.Array, error) {
	s, err := a.openArray(t, x.decoder)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	shape := s.Shape()
	if len(shape) == 0 {
		return nil, errors.New("it is a single element and has no rows")
	}
	if x.head >= 0 {
		return numbers.Read(s, npy.SpanTo(x.head))
	}
	return numbers.Read(s, npy.SpanFrom(max(shape[0]-x.tail, 0)))
}
