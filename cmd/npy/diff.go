package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/cmd/npy/internal/results"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/format"
	"github.com/spf13/cobra"
)

// diffFlags holds the flags of diff.
type diffFlags struct {
	diff.Options
	slice  string
	strict bool
	quiet  bool
	stat   bool
	json   bool

	ignoreAttributes bool
	image            string
	color            string
	style            results.DiffStyle
}

var diffSubcommand = subcommand{
	use:   "diff A B",
	short: "Compare two arrays or files: where and by how much they differ",
	group: lookGroup,
	reads: arrays | text,
	from:  anywhere,
	to:    anywhere,
	json:  []jsonObject{{"", results.DiffJSON{}}, {"fields", results.DiffField{}}, {"first", results.Mismatch{}}},
	make:  diffCommand,
}

func diffCommand(a *app) *cobra.Command {
	var x diffFlags
	var maxHeader int
	var objects flags.Objects
	c := &cobra.Command{
		Long: `Diff compares two arrays and prints nothing if they are equal. Otherwise it prints how many elements differ, and the first
and the largest difference. Records are compared field by field, and archives, ` + input.FormatNames("and") + ` files, or groups in them, array by array, by name.
Attributes of arrays and groups, and the names of enums, are compared where both files can have them, by their values; --ignore-attributes leaves
both out.

Values are compared exactly. Different dtypes are a difference, unless --ignore-dtype is given; the values are compared, too. Byte order, Fortran order and
version of the format are ignored unless --strict is given. NaN equals NaN unless --nan-differs is given. With tolerances,
elements are equal if |a-b| <= atol + rtol*|b|, as in numpy.isclose. Differences of times are in ticks of their common step:
2 hours for m8[2h] and m8[10D].

Of two folders, all files in them are compared by their paths, and a table tells which are the same, which differ and which are in
one folder only. Files that are no arrays are compared by their bytes.

Both files are read once, in little memory. Slices of members of archives are read into memory. The exit code is 0 if the
arrays are equal, 1 if they differ, and 2 after an error.`,
		Example: `  npy diff a.npy b.npy
  npy diff --rtol 1e-5 'a.npy[:100]' model.npz:weights
  npy diff --stat old.npz new.npz
  npy diff -q a.npy b.npy
  npy diff before after`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("diff wants two names, A and B, and has %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := x.check(); err != nil {
				return err
			}
			var err error
			if x.style.Color, err = terminal.WantsColor(x.color, terminal.Is(a.out), os.Getenv); err != nil {
				return err
			}
			x.style.Width = a.width()
			w := bufio.NewWriter(a.out)
			x.Options = a.limits.Diff(x.Options)
			d := differ{app: a, w: w, diffFlags: x, opener: a.opener(a.decoder(maxHeader, objects.Decoder()))}
			if err := d.run(args[0], args[1]); err != nil {
				return err
			}
			err = w.Flush()
			a.trouble = a.trouble || err != nil
			return err
		},
	}
	f := c.Flags()
	f.Float64Var(&x.RTol, "rtol", 0, "relative `tolerance`, of the values of B")
	f.Float64Var(&x.ATol, "atol", 0, "absolute `tolerance`; in ticks for times")
	f.Uint64Var(&x.ULPs, "ulp", 0, "accept floats that are up to this many `steps` apart")
	f.BoolVar(&x.NaNsDiffer, "nan-differs", false, "treat NaN as different from NaN, and NaT from NaT")
	f.BoolVar(&x.IgnoreDType, "ignore-dtype", false, "take different dtypes for equal if all values are: int32 1 and float64 1")
	f.BoolVar(&x.ignoreAttributes, "ignore-attributes", false, "do not compare attributes, and the names of enums")
	f.StringVar(&x.color, "color", "auto", "`when` to use colours: auto, always, never")
	f.BoolVar(&x.strict, "strict", false, "also compare byte order, order, layout of records and version")
	f.IntVar(&x.Max, "max", 1, "list up to this many `mismatches` of each array or field (0: a million)")
	f.StringVarP(&x.slice, "slice", "s", "", "compare only this `part` of both, in NumPy's syntax: 0:10, ..., ::2")
	f.BoolVar(&x.stat, "stat", false, "print one line per array or field that differs")
	f.BoolVarP(&x.quiet, "quiet", "q", false, "print nothing; only set the exit code")
	f.BoolVar(&x.json, "json", false, "print one JSON object per array, equal or not")
	f.StringVarP(&x.image, "output", "o", "", "write a picture of |a-b| to this PNG `file`")
	flags.MaxHeader(c, &maxHeader)
	a.addAs(c)
	a.addWhere(c)
	objects.Add(a.limits, c)
	return c
}

// diffMax is the number of mismatches that --max 0 lists: more than anybody reads, and little memory.
const diffMax = 1_000_000

// check returns an error for flags that exclude each other.
func (f *diffFlags) check() error {
	for _, tol := range []struct {
		name  string
		value float64
	}{{"rtol", f.RTol}, {"atol", f.ATol}} {
		if !(tol.value >= 0) {
			return fmt.Errorf("--%s %v: a tolerance cannot be negative or NaN", tol.name, tol.value)
		}
	}
	modes := 0
	for _, mode := range []bool{f.stat, f.json, f.quiet} {
		if mode {
			modes++
		}
	}
	switch {
	case modes > 1:
		return errors.New("--stat, --json and --quiet do not go together; give one")
	case f.Max < 0:
		return fmt.Errorf("--max %d: want 0 or more", f.Max)
	case f.Max == 0:
		f.Max = diffMax
	}
	return nil
}

// A differ is one comparison of two targets.
type differ struct {
	*app
	diffFlags
	w      *bufio.Writer
	opener input.Opener
	blocks int // printed so far
}

// run compares the targets that two arguments name.
func (d *differ) run(argA, argB string) error {
	if argA == "-" && argB == "-" {
		return errors.New("standard input is both A and B, and can be read only once")
	}
	if a, b := d.isFolder(argA), d.isFolder(argB); a && b {
		return d.folders(argA, argB)
	} else if a != b {
		return fmt.Errorf("one of %s and %s is a folder; diff compares two files or two folders", diagnose.FileName(argA), diagnose.FileName(argB))
	}
	x, err := d.open(argA)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := d.open(argB)
	if err != nil {
		return err
	}
	defer y.Close()
	if err := d.checkImage(argA, argB, x, y); err != nil {
		return err
	}
	switch {
	case d.trouble:
		return nil
	case x.whole && y.whole:
		return d.containers(x, y)
	case x.whole || y.whole:
		whole := x
		if y.whole {
			whole = y
		}
		return fmt.Errorf("%s has several arrays and the other is one; name one, as in %s:NAME", strings.TrimSuffix(whole.Path+":"+whole.within, ":"), whole.Path)
	}
	if err := d.told(d.arrays(x.Target, y.Target)); err != nil || d.trouble || d.image == "" {
		return err
	}
	return d.told(d.heatmap(argA, argB))
}

// A side is one of the two targets of a comparison.
type side struct {
	input.Target
	whole  bool   // all arrays of a container, or of a group
	within string // the group, with a slash at its end; "" for the root
}

// names returns the names of all arrays, which are compared: their paths, within the group if there is one.
func (s side) names() []string {
	var names []string
	for _, path := range s.Container.Names() {
		if name, ok := strings.CutPrefix(path, s.within); ok && !strings.HasSuffix(name, "/") { // not a folder of an archive
			names = append(names, name)
		}
	}
	return names
}

// array returns the target of an array.
func (s side) array(name string) input.Target {
	t := s.Target
	t.Member = s.within + name
	return t
}

// open opens the target that an argument names. Errors of the file are printed.
func (d *differ) open(arg string) (s side, err error) {
	t, err := input.Parse(arg)
	if err != nil {
		return s, err
	}
	if t, err = t.WithSlice(d.slice); err != nil {
		return s, err
	}
	t, err = d.opener.Open(t)
	s.Target = t
	if err != nil || t.Container == nil {
		return s, d.told(diagnose.Of(t.Path, err))
	}
	selected, t, one, err := t.Select()
	if err == nil && selected.Pattern() != "" {
		return s, fmt.Errorf("%s: diff compares one array, a group or all arrays; a pattern is none of these", arg)
	}
	s.Target, s.whole = t, !one
	if group := selected.String(); group != "" {
		s.within = group + "/"
	}
	return s, d.told(diagnose.Of(t.Path, err))
}

// told prints an error of a file and counts it as trouble. It returns every other error.
func (d *differ) told(err error) error {
	other := d.app.told(err)
	d.trouble = d.trouble || err != nil && other == nil
	return other
}

// containers compares all arrays of two containers, or of groups, by name, in the order of the first.
func (d *differ) containers(a, b side) error {
	if err := d.groups(a, b); err != nil {
		return err
	}
	inA, inB := a.names(), b.names()
	both := map[string]bool{}
	for _, name := range inB {
		both[name] = true
	}
	for _, name := range inA {
		if !both[name] {
			if err := d.only("a", a, b, name); err != nil {
				return err
			}
			continue
		}
		delete(both, name)
		x, y := a.array(name), b.array(name)
		err := d.arrays(x, y)
		if what := a.Container.NotArray(x.Member); what != "" && errors.Is(err, format.ErrMagic) {
			d.talk("%s: %s", x.Name(), what)
			continue
		}
		if err := d.told(err); err != nil {
			return err
		}
	}
	for _, name := range inB {
		if !both[name] {
			continue
		}
		if err := d.only("b", a, b, name); err != nil {
			return err
		}
	}
	return nil
}

// arrays compares two arrays and prints the result.
func (d *differ) arrays(a, b input.Target) error {
	x, err := d.opener.Once(d.ctx, a)
	if err != nil {
		return diagnose.Of(a.Name(), err)
	}
	defer x.Close()
	y, err := d.opener.Once(d.ctx, b)
	if err != nil {
		return diagnose.Of(b.Name(), err)
	}
	defer y.Close()
	r, err := diff.Compare(d.ctx, x.Source, y.Source, d.Options)
	if err != nil {
		return ofEither(err, a, b)
	}
	changes, err := d.described(a, b)
	if err != nil {
		return err
	}
	r.Changed = append(r.Changed, changes...)
	equal := r.Equal() && !(d.strict && len(r.Stored) > 0)
	d.failed = d.failed || !equal
	err = d.print(results.Comparison{A: a, B: b, Equal: equal, Result: r})
	if err == nil && d.image != "" {
		err = cmp.Or(d.checkNumeric(x), d.checkNumeric(y))
	}
	return err
}

// ofEither returns the error of a comparison as an error of the file that it is about, or of both files.
func ofEither(err error, a, b input.Target) error {
	var re *diff.ReadError
	switch {
	case !errors.As(err, &re):
		return diagnose.Of(a.Name()+", "+b.Name(), err)
	case re.Side == 'a':
		return diagnose.Of(a.Name(), diagnose.Explain(re.Err))
	}
	return diagnose.Of(b.Name(), diagnose.Explain(re.Err))
}

// The largest width and height of a heatmap, in pixels.
const heatmapSide = 2048

// heatmap writes a picture of the differences between two arrays to a file. It opens the files again, because a
// compressed file has been read to its end.
func (d *differ) heatmap(argA, argB string) error {
	x, err := d.source(argA)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := d.source(argB)
	if err != nil {
		return err
	}
	defer y.Close()
	if p, q := x.Shape(), y.Shape(); !slices.Equal(p, q) {
		return diagnose.Of(d.image, fmt.Errorf("a picture needs two arrays of one shape, not %s and %s", format.ShapeString(p), format.ShapeString(q)))
	}
	colors, _ := pictures.FindColormap("") // the default
	drawn, err := pictures.Difference{A: x.Source, B: y.Source}.Draw(d.ctx, pictures.Picture{Colors: colors, Width: heatmapSide, Height: heatmapSide})
	if err != nil {
		return diagnose.Of(d.image, diagnose.Explain(err))
	}
	return diagnose.Of(d.image, d.urls.Replace(d.image, func(w io.Writer) error { return png.Encode(w, drawn.NRGBA) }))
}

// checkNumeric returns an error if the elements of src cannot be in a picture.
func (d *differ) checkNumeric(src npy.Source) error {
	if numbers.Numeric(src.DType()) {
		return nil
	}
	return diagnose.Of(d.image, fmt.Errorf("cannot make a picture: %w", numbers.NotNumeric(src.DType())))
}

// source opens the array that an argument names.
func (d *differ) source(arg string) (*input.Array, error) {
	t, err := input.Parse(arg)
	if err != nil {
		return nil, err
	}
	if t, err = t.WithSlice(d.slice); err != nil {
		return nil, err
	}
	x, err := d.opener.Source(d.ctx, t)
	if err != nil {
		return nil, diagnose.Of(t.Name(), err)
	}
	return x, nil
}

// checkImage returns an error if there cannot be a picture.
func (d *differ) checkImage(argA, argB string, x, y side) error {
	switch {
	case d.image == "":
		return nil
	case !strings.EqualFold(filepath.Ext(d.image), ".png"):
		return fmt.Errorf("--output %s: the picture is a PNG; give a name that ends in .png", d.image)
	case x.whole || y.whole:
		return errors.New("--output needs two arrays; name an array of each file")
	case argA == "-" || argB == "-":
		return errors.New("--output reads both arrays again, and standard input can be read only once; give files")
	case x.Path == d.image || y.Path == d.image:
		return errors.New("--output is one of the files that are compared; give another name")
	}
	return nil
}

// print prints how two arrays differ, in the requested form.
func (d *differ) print(c results.Comparison) error {
	switch {
	case d.quiet:
		return nil
	case d.json:
		return c.PrintJSON(d.w)
	case c.Equal:
		return nil
	case d.stat:
		c.PrintStat(d.w)
		return nil
	}
	if d.blocks > 0 {
		fmt.Fprintln(d.w)
	}
	d.blocks++
	c.Print(d.w, d.style)
	return nil
}

// only reports an array that only one container has, "a" or "b".
func (d *differ) only(which string, a, b side, name string) error {
	d.failed = true
	switch {
	case d.quiet:
		return nil
	case d.json:
		return terminal.NewJSON(d.w).Encode(results.OnlyJSON(which, a.Target, b.Target, name))
	}
	file := a.Path
	if which == "b" {
		file = b.Path
	}
	_, err := fmt.Fprintf(d.w, "only in %s: %s\n", terminal.Printable(diagnose.FileName(file)), terminal.Printable(name))
	return err
}
