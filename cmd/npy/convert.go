package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/format"
	"github.com/spf13/cobra"
)

// A converting holds the flags of convert that are checked before they become settings of a job.
type converting struct {
	conversion.Job
	shape, from, to, dtype, order, slice, version, nan, into string
	maxHeader                                                int
	memory                                                   limits.Size
}

var convertSubcommand = subcommand{
	use:      "convert IN OUT",
	short:    "Convert between .npy, .npz, " + input.FormatNames("") + ", text, images",
	group:    writeGroup,
	reads:    arrays | rawFiles | text,
	from:     anywhere,
	to:       anywhere,
	existing: replaceOut,
	make:     convertCommand,
}

func convertCommand(a *app) *cobra.Command {
	x := converting{memory: 256 << 20}
	c := &cobra.Command{
		Long: `Convert reads IN and writes OUT. The endings of their names choose the formats. From .npy to .npy it writes the bytes that
np.save would write, in the format version of IN.

Archives (.npz), ` + input.FormatEndingNames("and") + ` files have several arrays. IN:PATH is one of them, and
OUT:PATH gives the array in a new OUT its name. From one such file to another every array is converted, with what OUT can have
of groups, attributes, names and scales of dimensions, largest shapes (unlimited dimensions), fill values, checksums, enums, references
and links. A line on standard error tells each thing that it cannot have, with the paths. Of an archive other members are copied to an archive.
'npy rezip' changes the compression.

The other formats are .csv, .tsv, .json, .ndjson, text of np.savetxt (.txt) and images (.png). Tables of Markdown (.md) and
LaTeX (.tex) can only be written. Files that are compressed as a whole, with gzip, zstd, xz or bzip2, are read everywhere;
a second ending .gz, .zst or .xz of OUT compresses it. A message on standard error tells what a format cannot keep.

Raw bytes (.raw, .bin) are elements without a header. --dtype, --shape and --offset describe them as IN. As OUT they are in
C order.

Text has no dtype. --dtype gives it; otherwise it is inferred, and a message tells the result. Between .npy files --dtype
changes the dtype if the new one holds every value; 'npy cast' also rounds.

Python objects are read as data, and nothing is run. From .npy to .npy they keep their bytes. --numpy 1 makes files of NumPy
2 readable for NumPy 1. In text, objects are JSON.

Files of plain elements and tables may be larger than memory. They are read and written in blocks that take up to --memory
bytes; more memory makes --order faster. Tables without --dtype are read twice. Beyond 32 MiB
a pipe, or a compressed file, is kept in a temporary file until then.

With --into DIR any number of files are converted, in a folder that is made if there is none: data.csv becomes DIR/data.npy with
--to npy. Files that exist there are kept unless --force is given.

OUT is written under another name and renamed at the end, so it is never incomplete. Standard input and output (-) need --from
and --to unless they are .npy.`,
		Example: `  npy convert a.npy a.csv
  npy convert 'a.npy[:, 0]' first-column.npy
  npy convert model.npz:bias bias.csv
  npy convert model.h5 model.npz
  npy convert a.npy data.h5:group/a
  npy convert --dtype '<f4' --shape 100,100 x.raw x.npy
  npy convert --dtype "[('t', '<M8[s]'), ('mag', '<f4')]" quakes.csv quakes.npy
  npy convert --to npy --into arrays a.csv b.csv
  curl -s https://example.org/a.npy | npy convert - a.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 && x.into == "" {
				return fmt.Errorf("convert wants two names, IN and OUT, and has %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case x.into != "" && c.Flags().Changed("output"):
				return errors.New("--into DIR and -o OUT exclude each other; give one")
			case x.into != "":
				return x.runInto(a, args)
			case a.force:
				return errors.New("--force needs --into: OUT alone is replaced without it")
			}
			return a.told(x.convert(a, args[0], args[1]))
		},
	}
	f := c.Flags()
	f.StringVarP(&x.dtype, "dtype", "d", "", "the `dtype` of the result, as numpy.dtype takes it, or a descr; columns of text: id=i8,name=U10")
	f.StringVar(&x.order, "order", "", "memory `order` of the result: C or F (that of IN)")
	f.StringVarP(&x.slice, "slice", "s", "", "convert only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.StringVar(&x.version, "npy-version", "", "`version` of .npy to write: 1.0, 2.0, 3.0 (that of IN, or the oldest possible)")
	f.StringVar(&x.shape, "shape", "", "the `shape` of raw IN: 100,3 or -1,3, where -1 is computed from the size (-1)")
	f.Int64Var(&x.Offset, "offset", 0, "`bytes` of raw IN before its first element")
	f.StringVarP(&x.Member, "name", "n", "", "`name` of the array in OUT, if that has several (that of IN without its ending)")
	f.StringVar(&x.from, "from", "", "`format` of IN: "+strings.Join(a.formatNames(), ", ")+" (by its ending)")
	f.StringVar(&x.to, "to", "", "`format` of OUT (by its ending)")
	f.StringVar(&x.into, "into", "", "convert any number of files into this `folder`, each under its name with the ending of --to")
	f.BoolVarP(&a.force, "force", "f", false, "with --into, replace existing files")
	addFormulas(c, &x.EscapeFormulas)
	f.StringVar(&x.nan, "nan", "", "write NaN and NaT in JSON as `this`: null or word (null in .ndjson, word in .json)")
	f.BoolVar(&x.Float128, "float128", false, "read <f16 and <c32 as IEEE binary128, as aarch64, s390x and riscv64 write them")
	f.IntVar(&x.NumPy, "numpy", 0, "write Python objects as NumPy `version` 1 or 2 does (that of IN)")
	f.IntVar(&x.Protocol, "pickle-protocol", 0, "write Python objects in this `protocol` of pickles, 2 to 5 (that of IN)")
	f.IntVar(&x.MaxDepth, "max-depth", 0, "deepest nesting of Python `containers` in text (0: 128, negative: no limit)")
	f.Int64Var(&x.MaxShared, "max-shared", 0, "most `bytes` of text for Python objects that occur repeatedly (0: 64 MiB, negative: no limit)")
	x.Objects.Add(a.limits, c)
	a.table.Add(c)
	x.Objects.AlsoText(c)
	flags.Group(c, "Flags for Python objects", "numpy", "pickle-protocol", "max-depth", "max-shared", "no-pickle", "max-pickle")
	flags.Group(c, "Flags for raw bytes", "shape", "offset")
	a.addAs(c)
	a.addWhere(c)
	f.VarP(&x.memory, "memory", "m", "use up to this many `bytes` of memory for blocks: 512M, 2G")
	f.BoolVarP(&x.Quiet, "quiet", "q", false, "do not tell what was inferred or cannot be kept")
	flags.MaxHeader(c, &x.maxHeader)
	return c
}

// convert converts one file.
func (x *converting) convert(a *app, in, out string) error {
	t, err := input.Parse(in)
	if err != nil {
		return err
	}
	if x.In, err = t.WithSlice(x.slice); err != nil {
		return err
	}
	x.Out = out
	if err := x.complete(a); err != nil {
		return err
	}
	return x.Run(a.ctx)
}

// complete makes a job of the flags. It finds wrong use before anything is read.
func (x *converting) complete(a *app) (err error) {
	var array string
	x.Out, array = cutOut(x.Out)
	if x.Member != "" && array != "" {
		return fmt.Errorf("both --name and OUT:%s name the array; give one", array)
	}
	x.Member = cmp.Or(x.Member, array)
	if x.From, err = a.formatFor(x.from, x.In.Path, "IN", "--from"); err != nil {
		return err
	}
	if x.To, err = a.formatFor(x.to, x.Out, "OUT", "--to"); err != nil {
		return err
	}
	x.Compression, _ = input.CompressionOf(x.Out)
	if err := x.check(a, x.From, x.To); err != nil {
		return err
	}
	if err := a.checkNamed(x.Out, array); err != nil {
		return err
	}
	if err := a.checkOut(x.Out, ""); err != nil {
		return err
	}
	if x.shape != "" {
		if x.Shape, err = flags.ParseShape(x.shape); err != nil {
			return err
		}
	}
	if x.dtype != "" {
		if x.DType, a.table.Columns, err = flags.ParseDType(x.dtype); err != nil {
			return err
		}
	}
	if x.Order, err = flags.ParseOrder(x.order); err != nil {
		return err
	}
	if x.version != "" {
		x.Version = format.Version{Major: x.version[0] - '0', Minor: x.version[2] - '0'}
	}
	if err := x.completeText(a); err != nil {
		return err
	}
	if x.Compression != nil {
		if f, ok := a.containerFor(string(x.To)); ok {
			return fmt.Errorf("%s: the arrays in a %s file are compressed; name it %s", x.Out, f.Endings[0], f.Endings[0])
		}
		if _, err := x.Compression.NewWriter(io.Discard); err != nil {
			return fmt.Errorf("%s: %w", x.Out, err)
		}
	}
	x.Memory = int64(x.memory)
	x.Opener = a.opener(a.decoder(x.maxHeader, x.Objects.Decoder()))
	x.Opener.Raw = x.From == conversion.Raw
	x.Formats, x.Stdout, x.Progress, x.Complain = a.formats, a.out, a.progress, a.complain
	return nil
}

// completeText completes the flags of text.
func (x *converting) completeText(a *app) (err error) {
	if a.table.Columns != nil && !isTable(x.From) {
		return fmt.Errorf("--dtype %s: dtypes of columns need a table of text as IN: .csv, .tsv, .txt", x.dtype)
	}
	isText := x.From != conversion.NPY && x.From != conversion.Raw
	encoding, err := x.Objects.TextEncoding(isText)
	if err != nil {
		return err
	}
	a.table.Encoding = cmp.Or(encoding, a.table.Encoding)
	x.Header = a.table.Header()
	_, err = a.table.Options()
	return err
}

// isTable reports whether a format is a table of text.
func isTable(f convert.Format) bool { return f == convert.CSV || f == convert.TSV || f == convert.TXT }

// setNaN sets how NaN is written in OUT.
func (x *converting) setNaN(to convert.Format) error {
	words := map[string]convert.NaN{"": convert.NaNAuto, "null": convert.NaNNull, "word": convert.NaNWord}
	nan, ok := words[x.nan]
	switch {
	case !ok:
		return fmt.Errorf("--nan %q: want null or word", x.nan)
	case x.nan != "" && to != convert.JSON && to != convert.NDJSON:
		return errors.New("--nan needs .json or .ndjson as OUT")
	}
	x.NaN = nan
	return nil
}

// check returns an error for flags that exclude each other, or do not go with the formats.
func (x *converting) check(a *app, from, to convert.Format) error {
	_, several := a.containerFor(string(to))
	isArray := to == conversion.NPY || to == "npz"
	switch {
	case x.version != "" && x.version != "1.0" && x.version != "2.0" && x.version != "3.0":
		return fmt.Errorf("--npy-version %s: want 1.0, 2.0 or 3.0", x.version)
	case from == conversion.Raw && x.dtype == "":
		return fmt.Errorf("raw bytes need --dtype, and --shape if there is more than one axis")
	case from != conversion.Raw && (x.shape != "" || x.Offset != 0):
		return fmt.Errorf("--shape and --offset need raw bytes as IN (.raw, .bin, or --from raw)")
	case to == conversion.Raw && strings.EqualFold(x.order, "F"):
		return fmt.Errorf("--order F: raw bytes are written in C order; transpose the array with a slice, or write .npy")
	case x.version != "" && !isArray:
		return fmt.Errorf("--npy-version needs .npy or .npz as OUT")
	case x.Member != "" && !several:
		return fmt.Errorf("--name needs a file of several arrays as OUT: %s", strings.Join(input.FormatEndings(true), " "))
	case x.NumPy < 0 || x.NumPy > 2:
		return fmt.Errorf("--numpy %d: want 1 or 2", x.NumPy)
	case x.Protocol != 0 && (x.Protocol < 2 || x.Protocol > 5):
		return fmt.Errorf("--pickle-protocol %d: want 2, 3, 4 or 5", x.Protocol)
	case (x.NumPy != 0 || x.Protocol != 0) && !isArray:
		return fmt.Errorf("--numpy and --pickle-protocol need .npy or .npz as OUT")
	case a.as.DType.IsValid() && from != conversion.NPY:
		return fmt.Errorf("--as needs .npy or .npz as IN; --dtype gives the dtype of other formats")
	case x.Float128 && from == conversion.NPY && isArray:
		return fmt.Errorf("--float128 needs text as IN or OUT; .npy to .npy keeps the bytes")
	case a.table.Given() != "" && !isTable(from):
		return fmt.Errorf("%s needs a table of text as IN: .csv, .tsv, .txt", a.table.Given())
	}
	if err := checkSame(x.Out, x.In.Path); err != nil {
		return err
	}
	if err := x.setNaN(to); err != nil {
		return err
	}
	if err := checkFormulas(x.EscapeFormulas, to); err != nil {
		return err
	}
	if x.Compression != nil {
		to = conversion.Raw
	}
	return a.checkTerminal(x.Out, to, "")
}
