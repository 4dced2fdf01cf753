package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
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
	image  string
}

func diffCommand(a *app) *cobra.Command {
	var flags diffFlags
	var maxHeader int
	var objects objectFlags
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two arrays or archives: where and by how much they differ",
		Long: `Diff compares the values of two arrays and prints nothing if they are the same. Otherwise it says how many differ, and
shows the first and the worst of them. Records are compared field by field and archives member by member, by name.

Values count, and are compared exactly: another dtype is a difference, but the values are compared all the same. Byte order,
Fortran order and version make none unless --strict is given. NaN equals NaN, unless --nan-differs is given.
With tolerances elements are equal if |a-b| <= atol + rtol*|b|, as in numpy.isclose. Differences of times are in ticks of
their common step: of 2 hours for m8[2h] and m8[10D].

Both are read once, in little memory; slices of archives and arrays in Fortran order from archives are held in memory. The
exit code is 0 if they are equal, 1 if they differ, and 2 if there is trouble.`,
		Example: `  npy diff a.npy b.npy
  npy diff --rtol 1e-5 'a.npy[:100]' model.npz:weights
  npy diff --stat old.npz new.npz
  npy diff -q a.npy b.npy`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("diff wants two names, A and B, and has %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := flags.check(); err != nil {
				return err
			}
			w := bufio.NewWriter(a.out)
			flags.Options = a.limits.diff(flags.Options)
			d := differ{app: a, w: w, diffFlags: flags, dec: a.decoder(maxHeader, objects.decoder())}
			if err := d.run(args[0], args[1]); err != nil {
				return err
			}
			return w.Flush()
		},
	}
	f := c.Flags()
	f.Float64Var(&flags.RTol, "rtol", 0, "relative `tolerance`, of the values of B")
	f.Float64Var(&flags.ATol, "atol", 0, "absolute `tolerance`; in ticks for times")
	f.Uint64Var(&flags.ULPs, "ulp", 0, "so many `steps` from one float to the next are no difference")
	f.BoolVar(&flags.NaNsDiffer, "nan-differs", false, "NaN differs from NaN, and NaT from NaT")
	f.BoolVar(&flags.strict, "strict", false, "byte order, order, layout of records and version make a difference, too")
	f.IntVar(&flags.Max, "max", 1, "list the first so many `mismatches` of each array or field")
	f.StringVarP(&flags.slice, "slice", "s", "", "compare only this `part` of both, in NumPy's syntax: 0:10, ..., ::2")
	f.BoolVar(&flags.stat, "stat", false, "print one line per array or field that differs")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "print nothing; the exit code says it")
	f.BoolVar(&flags.json, "json", false, "print one JSON object per array, equal or not")
	f.StringVarP(&flags.image, "output", "o", "", "write a picture of |a-b| to this PNG `file`")
	addMaxHeader(c, &maxHeader)
	a.addAs(c)
	objects.add(a, c)
	return c
}

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
		f.Max = -1 // package diff's value for no limit
	}
	return nil
}

// A differ is one comparison of two targets.
type differ struct {
	*app
	diffFlags
	w      *bufio.Writer
	dec    npy.Decoder
	blocks int // printed so far
}

// run compares the targets that two arguments name.
func (d *differ) run(argA, argB string) error {
	if argA == "-" && argB == "-" {
		return errors.New("both are standard input, which can be read once")
	}
	x, err := d.openTarget(argA)
	if err != nil {
		return err
	}
	defer x.close()
	y, err := d.openTarget(argB)
	if err != nil {
		return err
	}
	defer y.close()
	if err := d.checkImage(argA, argB, x, y); err != nil {
		return err
	}
	switch {
	case d.trouble:
		return nil
	case x.isWhole() && y.isWhole():
		return d.archives(x.target, y.target)
	case x.isWhole() || y.isWhole():
		whole := x
		if y.isWhole() {
			whole = y
		}
		return fmt.Errorf("%s is an archive and the other is one array; name a member, as in %s:NAME", whole.path, whole.path)
	}
	if err := d.told(d.arrays(x.target, y.target)); err != nil || d.trouble || d.image == "" {
		return err
	}
	return d.told(d.heatmap(x.target, y.target))
}

// An opened is a target with its archive, if it has one.
type opened struct {
	target
	close func()
}

// isWhole reports whether the target is an archive without the name of a member.
func (o opened) isWhole() bool { return o.archive != nil && o.member == "" }

// openTarget opens the target that an argument names. Errors of the file are printed.
func (d *differ) openTarget(arg string) (opened, error) {
	t, err := parseTarget(arg)
	if err != nil {
		return opened{}, fmt.Errorf("%s: %w", arg, err)
	}
	if t, err = t.withSlice(d.slice); err != nil {
		return opened{}, err
	}
	o := opened{t, func() {}}
	z, err := d.openArchive(t.path, d.dec)
	switch {
	case err != nil:
		return o, d.told(says(t.path, err))
	case z == nil && t.member != "":
		return o, d.told(says(t.path, fmt.Errorf("the file is one array and no archive, so there is no member %q", t.member)))
	case z == nil:
		return o, nil
	}
	o.archive, o.close = z, z.close
	if t.member != "" {
		o.target, err = z.resolve(o.target)
	}
	return o, d.told(says(t.path, err))
}

// told prints an error of a file and counts it as trouble. It returns every other error.
func (d *differ) told(err error) error {
	other := d.app.told(err)
	d.trouble = d.trouble || err != nil && other == nil
	return other
}

// archives compares all members of two archives, in the order of the first.
func (d *differ) archives(a, b target) error {
	for name, e := range a.archive.members() {
		if strings.HasSuffix(name, "/") {
			continue // a folder
		}
		if !b.archive.Has(name) {
			if err := d.only("a", a, b, name); err != nil {
				return err
			}
			continue
		}
		a.member, b.member = name, name
		err := d.arrays(a, b)
		if errors.Is(err, format.ErrMagic) && !isArrayName(e.Name) {
			d.talk("%s: no array but %s", a.name(), bytesText(e.Size))
			continue
		}
		if err := d.told(err); err != nil {
			return err
		}
	}
	for name := range b.archive.members() {
		if a.archive.Has(name) || strings.HasSuffix(name, "/") {
			continue
		}
		if err := d.only("b", a, b, name); err != nil {
			return err
		}
	}
	return nil
}

// arrays compares two arrays and prints the result.
func (d *differ) arrays(a, b target) error {
	x, finishX, err := d.side(a)
	if err != nil {
		return says(a.name(), err)
	}
	y, finishY, err := d.side(b)
	if err != nil {
		finishX(false)
		return says(b.name(), err)
	}
	r, err := diff.Compare(context.Background(), x, y, d.Options)
	compared := err == nil && len(r.Fields) > 0
	errX, errY := finishX(compared), finishY(compared)
	switch {
	case err != nil:
		return sideError(err, a, b)
	case errX != nil:
		return says(a.name(), errX)
	case errY != nil:
		return says(b.name(), errY)
	}
	equal := r.Equal() && !(d.strict && len(r.Stored) > 0)
	d.failed = d.failed || !equal
	return d.print(comparison{a, b, equal, r})
}

// sideError returns the error of a comparison as an error of the file that it is about, or of both files.
func sideError(err error, a, b target) error {
	var re *diff.ReadError
	switch {
	case !errors.As(err, &re):
		return says(a.name()+", "+b.name(), err)
	case re.Side == 'a':
		return says(a.name(), explain(re.Err))
	}
	return says(b.name(), explain(re.Err))
}

// side opens an array to be compared. The array is read in parts if its file can be. finish closes it; if whole is
// set, it reads a member to its end first, to verify the checksum.
func (d *differ) side(t target) (s npy.Source, finish func(whole bool) error, err error) {
	if f, close := openFile(t, d.dec, nil); f != nil {
		in, err := inputOf(f, close, t)
		if err != nil {
			return nil, nil, err
		}
		return in.Source, func(bool) error { in.Close(); return nil }, nil
	}
	none := func(bool) error { return nil }
	if t.archive != nil && t.index != nil {
		array, err := d.load(t, d.dec)
		if err != nil {
			return s, none, err
		}
		return array, none, nil
	}
	f, err := d.open(t)
	if err != nil {
		return s, none, err
	}
	r := bufio.NewReaderSize(f, 1<<16)
	var head bytes.Buffer
	h, err := d.dec.Format().ReadHeader(io.TeeReader(r, &head))
	if err == nil && t.index == nil {
		if s, err = npy.NewStream(h, r); err == nil {
			return s, func(whole bool) error {
				defer f.Close()
				if !whole {
					return nil
				}
				return t.finish(r)
			}, nil
		}
	}
	defer f.Close()
	array, err := read(io.MultiReader(&head, r), t.path, d.dec)
	if err == nil {
		err = t.finish(r)
	}
	if err == nil && t.index != nil {
		array, err = array.Slice(t.index...)
	}
	if err != nil {
		return s, none, explain(err)
	}
	return array, none, nil
}

// The largest width and height of a heatmap, in pixels.
const heatmapSide = 2048

// heatmap writes a picture of the differences between two arrays to a file.
func (d *differ) heatmap(a, b target) error {
	x, err := d.openArray(a, d.dec)
	if err != nil {
		return says(a.name(), err)
	}
	defer x.Close()
	y, err := d.openArray(b, d.dec)
	if err != nil {
		return says(b.name(), err)
	}
	defer y.Close()
	if p, q := x.Shape(), y.Shape(); !slices.Equal(p, q) {
		return says(d.image, fmt.Errorf("no picture of arrays of shapes %s and %s", format.ShapeString(p), format.ShapeString(q)))
	}
	for _, s := range []npy.Source{x, y} {
		if !numbers.Numeric(s.DType()) {
			return says(d.image, fmt.Errorf("no picture: %w", numbers.NotNumeric(s.DType())))
		}
	}
	colors, _ := pictures.FindColormap("") // the default
	drawn, err := pictures.Difference{A: x.Source, B: y.Source}.Draw(pictures.Picture{Colors: colors, Width: heatmapSide, Height: heatmapSide})
	if err != nil {
		return says(d.image, explain(err))
	}
	return says(d.image, npy.ReplaceFile(d.image, func(w io.Writer) error { return png.Encode(w, drawn.NRGBA) }))
}

// checkImage returns an error if there cannot be a picture.
func (d *differ) checkImage(argA, argB string, x, y opened) error {
	switch {
	case d.image == "":
		return nil
	case !strings.EqualFold(filepath.Ext(d.image), ".png"):
		return fmt.Errorf("--output %s: pictures are PNG; give a name that ends in .png", d.image)
	case x.isWhole() || y.isWhole():
		return errors.New("--output is a picture of one array; name a member of each archive")
	case argA == "-" || argB == "-":
		return errors.New("--output reads both again, and standard input can be read once; give files")
	case x.path == d.image || y.path == d.image:
		return errors.New("--output is one of the files that are compared; give another name")
	}
	return nil
}
