package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/objects"
	"github.com/spf13/cobra"
)

// npyFormat is the one format that package convert does not write: the array file itself.
const npyFormat convert.Format = "npy"

// A conversion is what the flags and arguments of convert ask for.
type conversion struct {
	in        target
	out       string
	from, to  string
	dtype     string
	order     string
	slice     string
	version   string
	header    string
	maxHeader int
	float128  bool
	objects   objectFlags
	numpy     int
	protocol  int
	maxDepth  int
	maxShared int64
	quiet     bool
}

func convertCommand(a *app) *cobra.Command {
	var x conversion
	c := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert between .npy, .csv, .tsv, .json and .ndjson",
		Long: `Convert reads IN, writes OUT, and chooses the formats by the endings of their names. From .npy to .npy it
gives the bytes that np.save would write, in the version of the format that IN has.

Text has no dtype: --dtype says what to make of it, and without it the dtype is inferred and told on standard
error. Between .npy files --dtype changes the dtype where no value can change with it.

Arrays of Python objects are read as data and run nothing. From .npy to .npy they keep their bytes as well; --numpy 1
makes files of NumPy 2 readable for NumPy 1. In text they are JSON, or cells of it.

OUT is written under another name first and renamed at the end, so there is never a part of it. Standard input and
output, -, need --from and --to for anything but .npy.`,
		Example: `  npy convert a.npy a.csv
  npy convert 'a.npy[:, 0]' first-column.npy
  npy convert --dtype "[('t', '<M8[s]'), ('mag', '<f4')]" quakes.csv quakes.npy
  curl -s https://example.org/a.npy | npy convert - a.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("convert wants two names, IN and OUT, and has %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			in, err := parseTarget(args[0])
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if in, err = in.withSlice(x.slice); err != nil {
				return err
			}
			x.in, x.out = in, args[1]
			return x.run(a)
		},
	}
	f := c.Flags()
	f.StringVarP(&x.dtype, "dtype", "d", "", "the `dtype` of the result, as numpy.dtype takes it, or a descr")
	f.StringVar(&x.order, "order", "", "memory `order` of the result: C or F (as it is)")
	f.StringVarP(&x.slice, "slice", "s", "", "convert only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.StringVar(&x.version, "npy-version", "", "`version` of .npy to write: 1.0, 2.0, 3.0 (that of IN, or the oldest that will do)")
	f.StringVar(&x.from, "from", "", "`format` of IN: npy, csv, tsv, json, ndjson (by its ending)")
	f.StringVar(&x.to, "to", "", "`format` of OUT (by its ending)")
	f.StringVar(&x.header, "header", "auto", "whether the first `line` of a table holds names: auto, yes, no")
	f.BoolVar(&x.float128, "float128", false, "take <f16 and <c32 for IEEE binary128, from aarch64, s390x or riscv64")
	f.IntVar(&x.numpy, "numpy", 0, "write Python objects as NumPy `version` 1 or 2 does (that of IN)")
	f.IntVar(&x.protocol, "pickle-protocol", 0, "write Python objects in this `protocol` of pickles, 2 to 5 (that of IN)")
	f.IntVar(&x.maxDepth, "max-depth", 0, "most Python `containers` within each other in text (0: 128, negative: no limit)")
	f.Int64Var(&x.maxShared, "max-shared", 0, "most `bytes` of text for Python objects that were written before (0: 64 MiB, negative: no limit)")
	x.objects.add(c)
	f.BoolVarP(&x.quiet, "quiet", "q", false, "do not say what was inferred")
	addMaxHeader(c, &x.maxHeader)
	return c
}

func (x conversion) run(a *app) error {
	from, err := formatFor(x.from, x.in.path, "IN", "--from")
	if err != nil {
		return err
	}
	to, err := formatFor(x.to, x.out, "OUT", "--to")
	if err != nil {
		return err
	}
	if err := x.checkFlags(a, from, to); err != nil {
		return err
	}
	array, version, err := x.read(a, from)
	if err != nil {
		return says(x.in.path, err)
	}
	if array, err = x.arrange(array); err != nil {
		return says(x.in.path, err)
	}
	return x.write(a, to, array, version)
}

// formatFor returns the format a flag names, or the one of a file's ending.
func formatFor(flag, path, arg, name string) (convert.Format, error) {
	if flag != "" {
		flag = strings.ToLower(strings.TrimPrefix(flag, "."))
		if f, ok := convert.ForFile("." + flag); ok {
			return f, nil
		}
		if flag == string(npyFormat) {
			return npyFormat, nil
		}
		return "", fmt.Errorf("%s: unknown format %q, want npy%s", name, flag, known(", "))
	}
	ending := strings.ToLower(filepath.Ext(path))
	if f, ok := convert.ForFile(path); ok {
		return f, nil
	}
	if ending == ".npz" && arg == "OUT" {
		return "", fmt.Errorf("OUT: archives are not written; name an .npy file")
	}
	if ending == ".npy" || ending == ".npz" || arg == "IN" && isPickleName(path) || path == "-" || path == os.DevNull || ending == "" && arg == "IN" {
		return npyFormat, nil
	}
	return "", fmt.Errorf("%s: the ending of %q says nothing about its format; want .npy%s, or give %s", arg, path, known(", ."), name)
}

func known(separator string) string {
	text := ""
	for _, e := range convert.Endings() {
		text += separator + strings.TrimPrefix(e, ".")
	}
	return text
}

// checkFlags finds wrong use before anything is read.
func (x *conversion) checkFlags(a *app, from, to convert.Format) error {
	x.order = strings.ToUpper(x.order)
	switch {
	case x.order != "" && x.order != "C" && x.order != "F":
		return fmt.Errorf("--order %s: want C or F", x.order)
	case x.version != "" && x.version != "1.0" && x.version != "2.0" && x.version != "3.0":
		return fmt.Errorf("--npy-version %s: want 1.0, 2.0 or 3.0", x.version)
	case x.version != "" && to != npyFormat:
		return fmt.Errorf("--npy-version goes with .npy as OUT")
	case x.numpy < 0 || x.numpy > 2:
		return fmt.Errorf("--numpy %d: want 1 or 2", x.numpy)
	case x.protocol != 0 && (x.protocol < 2 || x.protocol > 5):
		return fmt.Errorf("--pickle-protocol %d: want 2, 3, 4 or 5", x.protocol)
	case (x.numpy != 0 || x.protocol != 0) && to != npyFormat:
		return fmt.Errorf("--numpy and --pickle-protocol go with .npy as OUT")
	case x.float128 && from == npyFormat && to == npyFormat:
		return fmt.Errorf("--float128 goes with text as IN or OUT: .npy to .npy keeps the bytes as they are")
	case x.header != "auto" && x.header != "yes" && x.header != "no":
		return fmt.Errorf("--header %s: want auto, yes or no", x.header)
	case x.out == "-" && to == npyFormat && isTerminal(a.out):
		return fmt.Errorf("an .npy file is not for a terminal; name a file, or pipe the output on")
	case x.in.path != "-" && sameFile(x.in.path, x.out):
		return fmt.Errorf("IN and OUT are the same file; give another name for OUT")
	}
	if _, err := x.parseDType(); err != nil {
		return fmt.Errorf("--dtype: %s", reason(err))
	}
	return nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y) && x.Mode().IsRegular()
}

func (x conversion) parseDType() (dtype.Type, error) {
	if x.dtype == "" {
		return dtype.Type{}, nil
	}
	return dtype.Parse(x.dtype)
}

// read reads the input, and the version it has if it is an .npy file.
func (x conversion) read(a *app, from convert.Format) (*npy.Array, format.Version, error) {
	f, err := a.open(x.in)
	if err != nil {
		return nil, format.Version{}, err
	}
	defer f.Close()
	if from == npyFormat {
		return x.readArray(f)
	}
	t, _ := x.parseDType()
	header := map[string]convert.Header{"auto": convert.HeaderAuto, "yes": convert.HeaderYes, "no": convert.HeaderNo}[x.header]
	array, report, err := convert.Read(f, from, convert.ReadOptions{DType: t, Header: header, Float128: x.float128})
	if err != nil {
		return nil, format.Version{}, err
	}
	if report.Inferred && !x.quiet {
		a.talk("%s: %s; change it with --dtype", fileName(x.in.path), report)
	}
	return array, format.Version{}, nil
}

func (x conversion) readArray(f io.Reader) (*npy.Array, format.Version, error) {
	version, f := peekVersion(f)
	array, err := read(f, x.in.path, npy.Decoder{MaxHeader: x.maxHeader, Objects: x.objects.decoder()})
	if err != nil {
		return nil, version, explain(x.in.path, err)
	}
	t, _ := x.parseDType()
	if t.IsValid() && !t.Equal(array.DType()) {
		if array, err = array.AsType(t); err != nil {
			return nil, version, fmt.Errorf("%s; without --dtype it stays as it is", reason(err))
		}
	}
	return array, version, nil
}

// peekVersion looks at the version of an .npy file, and returns a reader that has lost nothing.
func peekVersion(f io.Reader) (format.Version, io.Reader) {
	const n = len(format.Magic) + 2
	b, f := peek(f, n)
	if len(b) < n || b[0] != format.Magic[0] {
		return format.Version{}, f
	}
	return format.Version{Major: b[n-2], Minor: b[n-1]}, f
}

// arrange cuts the part out and puts it into the order that was asked for.
func (x conversion) arrange(array *npy.Array) (*npy.Array, error) {
	if x.in.index != nil {
		var err error
		if array, err = array.Slice(x.in.index...); err != nil {
			return nil, err
		}
	}
	switch x.order {
	case "C":
		return array.Contiguous(), nil
	case "F":
		return array.Fortran(), nil
	}
	return array, nil
}

func (x conversion) write(a *app, to convert.Format, array *npy.Array, version format.Version) error {
	var err error
	o := convert.WriteOptions{NoHeader: x.header == "no", Float128: x.float128, MaxDepth: x.maxDepth, MaxShared: x.maxShared}
	switch {
	case to == npyFormat:
		err = x.writeArray(a, array, version)
	case x.out == "-":
		err = convert.Write(a.out, to, array, o)
	default:
		err = convert.WriteFile(x.out, to, array, o)
	}
	if isBrokenPipe(err) {
		return err
	}
	if errors.Is(err, npy.ErrLimit) {
		err = raise(errors.New(reason(err)))
	}
	return says(x.out, err)
}

// writeArray keeps the version of the input, or takes another where that cannot hold the array.
func (x conversion) writeArray(a *app, array *npy.Array, version format.Version) error {
	if x.version != "" {
		version = format.Version{Major: x.version[0] - '0', Minor: x.version[2] - '0'}
	} else if _, err := (format.Header{DType: array.DType(), Shape: array.Shape(), Version: version}).Append(nil); err != nil {
		version = format.Version{} // the part, or the other dtype, does not fit what IN has
	}
	e := npy.Encoder{Version: version, Objects: objects.Encoder{NumPy: x.numpy, Protocol: x.protocol}}
	if x.out == "-" {
		return e.Write(a.out, array)
	}
	return e.WriteFile(x.out, array)
}
