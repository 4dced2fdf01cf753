package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/source"
	"github.com/spf13/cobra"
)

// A splitting holds the flags of split.
type splitting struct {
	npy.Copier
	axis, parts, rows int
	at                []int
	memory            limits.Size
	quiet             bool
	flags.Compression
}

var splitSubcommand = subcommand{
	use:      "split IN OUT-%03d.npy",
	short:    "Cut an array into several files, or members of an archive",
	group:    writeGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	existing: replaceOut,
	make:     splitCommand,
}

func splitCommand(a *app) *cobra.Command {
	x := splitting{memory: 256 << 20}
	c := &cobra.Command{
		Long: `Split cuts an array along an axis into several files, as np.array_split does. Give one of --parts (the number of parts, of
nearly equal length), --length (the length of each part but the last) and --at (the positions of the cuts). An axis of length
0 makes one part of length 0.

OUT contains %d for the number of the part, which starts at 0: part-%d.npy, or part-%03d.npy for numbers with leading zeros. If
OUT has several arrays (.npz), they are arr_0, arr_1 and so on; OUT.npz:NAME-%d gives them other names.

Files of any size are split in little memory. Slices of IN and members of archives are read into memory.`,
		Example: "  npy split --parts 4 all.npy part-%d.npy\n  npy split --length 100000 log.npy log-%04d.npy\n  npy split --at 800,900 data.npy sets.npz",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("split wants IN and OUT, and has %s", diagnose.Counted(len(args), "argument"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			given := 0
			for _, name := range []string{"parts", "length", "at"} {
				if c.Flags().Changed(name) {
					given++
				}
			}
			switch {
			case given != 1:
				return fmt.Errorf("split wants one of --parts, --length and --at")
			case c.Flags().Changed("parts") && x.parts < 1:
				return fmt.Errorf("--parts %d: want 1 or more", x.parts)
			case c.Flags().Changed("length") && x.rows < 1:
				return fmt.Errorf("--length %d: want 1 or more", x.rows)
			}
			x.Memory = int64(x.memory)
			return a.told(x.run(a, args[0], args[1]))
		},
	}
	f := c.Flags()
	alsoCalled(f, "length", "rows")
	f.IntVar(&x.parts, "parts", 0, "cut into `n` parts; if the length is not a multiple of n, the first parts are longer by one")
	f.IntVar(&x.rows, "length", 0, "cut into parts of length `n`")
	f.IntSliceVar(&x.at, "at", nil, "cut before these `positions`: 10,20; negative ones count from the end")
	f.IntVarP(&x.axis, "axis", "a", 0, "cut along this `axis`; -1 is the last")
	f.VarP(&x.memory, "memory", "m", "use up to this many `bytes` of memory: 512M, 2G")
	x.Compression.Add(c)
	a.addAs(c)
	a.addWhere(c)
	f.BoolVarP(&x.quiet, "quiet", "q", false, "do not list the files")
	return c
}

func (x *splitting) run(a *app, in, out string) error {
	archive, pattern, err := outPattern(out)
	if err != nil {
		return err
	}
	t, err := input.Parse(in)
	if err != nil {
		return err
	}
	f, err := a.opener(a.decoder(0, nil)).Source(a.ctx, t)
	if err != nil {
		return diagnose.Of(t.Path, diagnose.NoObjects(err))
	}
	defer f.Close()
	shape := f.Shape()
	if x.axis < -len(shape) || x.axis >= len(shape) {
		return diagnose.Of(t.Path, fmt.Errorf("axis %d is out of bounds for an array of %s", x.axis, diagnose.Counted(len(shape), "dimension")))
	}
	if x.axis < 0 {
		x.axis += len(shape)
	}
	h := format.Header{DType: f.DType(), Shape: shape}
	if err := x.checkParts(a, f); err != nil {
		return diagnose.Of(t.Path, err)
	}
	pieces := piecesOf(h, pattern, x.axis, x.cuts(shape[x.axis]))
	if archive != "" {
		return x.toArchive(a, t, f, archive, pieces)
	}
	return x.toFiles(a, t, f, pieces)
}

// defaultParts is the largest number of parts for an array with fewer bytes than parts.
const defaultParts = 10_000

// mostParts is the largest number of parts, unless --limit sets another.
const mostParts = 1 << 17

// checkParts refuses to make more parts than the array has bytes in its file, because an axis can be long without taking any
// bytes, and more than mostParts: each part takes memory, and 280 bytes of an archive.
func (x *splitting) checkParts(a *app, f *input.Array) error {
	n := x.parts
	if x.rows > 0 {
		n = f.Shape()[x.axis] / x.rows
	}
	h := format.Header{DType: f.DType(), Shape: f.Shape()}
	size, of, stored := h.NBytes(), "", h.NBytes()
	if source.CheckBytes(f.Source, size) != nil {
		of, stored = " that its file does not store", 0
	}
	most := a.limits["MaxParts"]
	if most == 0 {
		most = min(max(defaultParts, stored), mostParts)
	}
	if most < 0 || int64(n) <= most {
		return nil
	}
	return &npy.LimitError{Name: "MaxParts", Limit: most, Got: int64(n), What: fmt.Sprintf("%d parts of an array of %d bytes%s are over MaxParts %d", n, size, of, most)}
}

// outPattern separates OUT into the archive, if it names one, and the pattern for names with a place for a number.
func outPattern(out string) (archive, pattern string, err error) {
	pattern = out
	if file, name := cutOut(out); name != "" {
		archive, pattern = file, name
	} else if slices.Contains(input.FormatEndings(true), strings.ToLower(filepath.Ext(out))) {
		archive, pattern = out, "arr_%d"
	}
	if !numbered.MatchString(pattern) || strings.Count(pattern, "%") != 1 {
		return "", "", fmt.Errorf("OUT %s: want one %%d or %%03d for the number of the part, such as part-%%d.npy", out)
	}
	return archive, pattern, nil
}

var numbered = regexp.MustCompile(`%(0[1-9])?d`)

// cuts returns the start and end of each part, as np.array_split: a part whose end is before its start is empty.
func (x *splitting) cuts(n int) [][2]int {
	var spans [][2]int
	switch {
	case x.parts > 0:
		for i, at := 0, 0; i < x.parts; i++ {
			end := at + n/x.parts
			if i < n%x.parts {
				end++
			}
			spans, at = append(spans, [2]int{at, end}), end
		}
	case x.rows > 0:
		for at := 0; at < n || len(spans) == 0; { // an empty axis has one part, as in np.array_split
			end := at + min(x.rows, n-at)
			spans, at = append(spans, [2]int{at, end}), end
		}
	default:
		at := 0
		for _, end := range append(slices.Clone(x.at), n) {
			if end < 0 {
				end = max(end+n, 0)
			}
			end = min(end, n)
			spans, at = append(spans, [2]int{at, max(at, end)}), end
		}
	}
	return spans
}

// A piece is one of the parts.
type piece struct {
	name  string
	axis  int
	span  [2]int // of the axis
	shape []int
}

// index returns the index of the piece in an array that begins at a position of the axis.
func (p piece) index(start int) []npy.Index {
	index := slices.Repeat([]npy.Index{npy.All()}, p.axis+1)
	index[p.axis] = npy.Span(p.span[0]-start, p.span[1]-start)
	return index
}

func piecesOf(h format.Header, pattern string, axis int, spans [][2]int) []piece {
	pieces := make([]piece, len(spans))
	for i, span := range spans {
		shape := slices.Clone(h.Shape)
		shape[axis] = span[1] - span[0]
		pieces[i] = piece{fmt.Sprintf(pattern, i), axis, span, shape}
	}
	return pieces
}

// windowBytes is the memory for small pieces that are read together.
const windowBytes = 16 << 20

// A window is a part of an array in memory, from which small pieces are cut. Reading each piece by itself costs too much where
// its elements are far apart, or compressed.
type window struct {
	of    npy.Source
	array *npy.Array // nil before the first small piece
	start int        // on the axis of the pieces
	end   int
}

// part returns a piece.
func (w *window) part(ctx context.Context, p piece) (npy.Source, error) {
	h := format.Header{DType: w.of.DType(), Shape: p.shape}
	if h.NBytes() > windowBytes/2 || h.NBytes() == 0 || h.DType.HasObject() {
		return w.of.Select(p.index(0)...)
	}
	if w.array == nil || p.span[0] < w.start || p.span[1] > w.end {
		row := h.NBytes() / int64(p.shape[p.axis])
		w.start = p.span[0]
		w.end = min(w.of.Shape()[p.axis], w.start+int(windowBytes/row))
		whole, err := w.of.Select(piece{axis: p.axis, span: [2]int{w.start, w.end}}.index(0)...)
		if err != nil {
			return nil, err
		}
		if w.array, err = whole.ReadAll(ctx); err != nil {
			return nil, err
		}
	}
	return w.array.Select(p.index(w.start)...)
}

func (x *splitting) toFiles(a *app, t input.Target, f *input.Array, pieces []piece) error {
	for _, p := range pieces {
		if err := checkSame(p.name, t.Path); err != nil {
			return fmt.Errorf("part %s: %w", p.name, err)
		}
		if err := a.checkArray(p.name); err != nil {
			return err
		}
		if err := a.checkOut(p.name, ""); err != nil {
			return err
		}
	}
	bar := x.progress(a, t.Name(), f)
	from := window{of: f.Source}
	for _, p := range pieces {
		part, err := from.part(a.ctx, p)
		if err == nil {
			err = a.copyTo(x.Copier, p.name, part)
		}
		bar.Clear()
		if err != nil {
			return diagnose.OfEither(t.Path, p.name, err)
		}
		x.wrote(a, p.name, p)
	}
	return nil
}

// toArchive writes the parts as arrays of one file.
func (x *splitting) toArchive(a *app, t input.Target, f *input.Array, archive string, pieces []piece) error {
	if err := checkSame(archive, t.Path); err != nil {
		return err
	}
	if err := a.checkOut(archive, ""); err != nil {
		return err
	}
	e, err := x.Compression.Encoder()
	if err != nil {
		return err
	}
	to, err := a.formatFor("", archive, "OUT", "OUT")
	if err != nil {
		return err
	}
	bar := x.progress(a, t.Name(), f)
	err = a.output(archive, to, e).WriteContainer(func(w container.Writer) error {
		from := window{of: f.Source}
		for _, p := range pieces {
			part, err := from.part(a.ctx, p)
			if err == nil {
				err = conversion.Put(a.ctx, w, partOf(p.name), part, x.Progress)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	bar.Clear()
	if err != nil {
		return diagnose.OfEither(t.Path, archive, err)
	}
	for _, p := range pieces {
		x.wrote(a, archive+":"+p.name, p)
	}
	return nil
}

// progress shows the progress of all parts together.
func (x *splitting) progress(a *app, name string, f *input.Array) *terminal.Progress {
	bar := a.progress(name)
	before, last, all := int64(0), int64(0), format.Header{DType: f.DType(), Shape: f.Shape()}.NBytes()
	x.Progress = func(done, _ int64) {
		if done < last { // the next part has begun
			before += last
		}
		last = done
		bar.Set(before+done, all)
	}
	return bar
}

func (x *splitting) wrote(a *app, name string, p piece) {
	if !x.quiet {
		fmt.Fprintf(a.out, "%s: shape %s\n", terminal.Printable(name), format.ShapeString(p.shape))
	}
}
