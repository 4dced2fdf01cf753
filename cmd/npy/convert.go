package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
	"github.com/spf13/cobra"
)

// The formats that package convert does not write.
const (
	npyFormat convert.Format = "npy"
	npzFormat convert.Format = "npz"
	rawFormat convert.Format = "raw" // elements without a header
)

// A conversion holds the flags and arguments of convert.
type conversion struct {
	in        target
	out       string
	member    string // of OUT if it is an archive
	shape     string // of IN if it is raw
	offset    int64  // of IN if it is raw
	from, to  string
	dtype     string
	order     string
	slice     string
	version   string
	header    string
	maxHeader int
	float128  bool
	objects   objectFlags
	dec       npy.Decoder // of IN
	numpy     int
	protocol  int
	maxDepth  int
	maxShared int64
	memory    size
	quiet     bool
}

func convertCommand(a *app) *cobra.Command {
	x := conversion{memory: 256 << 20}
	c := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert between .npy, .npz, text, images and raw bytes",
		Long: `Convert reads IN, writes OUT, and chooses the formats by the endings of their names. From .npy to .npy it
gives the bytes that np.save would write, in the version of the format that IN has.

Of an archive, IN.npz:MEMBER is one array. From .npz to .npz all are converted, and what is no array is copied; see 'npy
rezip' for how they are compressed.

The other formats are .csv, .tsv, .json, .ndjson, numbers as np.savetxt writes them (.txt) and images (.png), and as OUT
tables of Markdown (.md) and LaTeX (.tex). What of the array a format does not keep is told on standard error.

Raw bytes (.raw, .bin) are elements without a header: --dtype, --shape and --offset say what IN is; OUT is in C order.

Text has no dtype: --dtype says what to make of it, and without it the dtype is inferred and told on standard
error. Between .npy files --dtype changes the dtype where no value can change with it.

Arrays of Python objects are read as data and run nothing. From .npy to .npy they keep their bytes as well; --numpy 1
makes files of NumPy 2 readable for NumPy 1. In text they are JSON, or cells of it.

Files of plain elements and tables may be larger than memory: they are read and written in blocks, for which --memory
says how much to take. More makes --order faster. Tables without --dtype are read twice; of a pipe, what is more than
--memory goes to a temporary file for that.

OUT is written under another name first and renamed at the end, so there is never a part of it. Standard input and
output, -, need --from and --to for anything but .npy.`,
		Example: `  npy convert a.npy a.csv
  npy convert 'a.npy[:, 0]' first-column.npy
  npy convert model.npz:bias bias.csv
  npy convert --dtype '<f4' --shape 100,100 x.raw x.npy
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
			return a.told(x.run(a))
		},
	}
	f := c.Flags()
	f.StringVarP(&x.dtype, "dtype", "d", "", "the `dtype` of the result, as numpy.dtype takes it, or a descr")
	f.StringVar(&x.order, "order", "", "memory `order` of the result: C or F (as it is)")
	f.StringVarP(&x.slice, "slice", "s", "", "convert only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.StringVar(&x.version, "npy-version", "", "`version` of .npy to write: 1.0, 2.0, 3.0 (that of IN, or the oldest that will do)")
	f.StringVar(&x.shape, "shape", "", "the `shape` of raw IN: 100,3 or -1,3, where -1 is as long as the bytes make it (-1)")
	f.Int64Var(&x.offset, "offset", 0, "`bytes` of raw IN before its first element")
	f.StringVarP(&x.member, "name", "n", "", "`name` of the array in OUT, if that is an archive (that of IN without its ending)")
	f.StringVar(&x.from, "from", "", "`format` of IN: npy, npz, raw"+a.known(", ")+" (by its ending)")
	f.StringVar(&x.to, "to", "", "`format` of OUT (by its ending)")
	f.StringVar(&x.header, "header", "auto", "whether the first `line` of a table holds names: auto, yes, no")
	f.BoolVar(&x.float128, "float128", false, "take <f16 and <c32 for IEEE binary128, from aarch64, s390x or riscv64")
	f.IntVar(&x.numpy, "numpy", 0, "write Python objects as NumPy `version` 1 or 2 does (that of IN)")
	f.IntVar(&x.protocol, "pickle-protocol", 0, "write Python objects in this `protocol` of pickles, 2 to 5 (that of IN)")
	f.IntVar(&x.maxDepth, "max-depth", 0, "most Python `containers` within each other in text (0: 128, negative: no limit)")
	f.Int64Var(&x.maxShared, "max-shared", 0, "most `bytes` of text for Python objects that were written before (0: 64 MiB, negative: no limit)")
	x.objects.add(a, c)
	a.addAs(c)
	f.VarP(&x.memory, "memory", "m", "work with so many `bytes` of memory on files of plain elements: 512M, 2G")
	f.BoolVarP(&x.quiet, "quiet", "q", false, "do not say what was inferred, nor what is not kept")
	addMaxHeader(c, &x.maxHeader)
	return c
}

func (x conversion) run(a *app) error {
	from, err := a.formatFor(x.from, x.in.path, "IN", "--from")
	if err != nil {
		return err
	}
	to, err := a.formatFor(x.to, x.out, "OUT", "--to")
	if err != nil {
		return err
	}
	if err := x.checkFlags(a, from, to); err != nil {
		return err
	}
	x.dec = a.decoder(x.maxHeader, x.objects.decoder())
	z, err := a.openArchive(x.in.path, x.dec)
	if err != nil {
		return says(x.in.path, err)
	}
	if z != nil && from == npyFormat {
		defer z.close()
		if x.in, err = x.in.within(z, to == npzFormat); err != nil {
			return says(x.in.path, err)
		}
		if x.in.member == "" {
			return x.all(a)
		}
	}
	if done, err := x.copy(a, from, to); done {
		return err
	}
	array, version, err := x.array(a, from)
	if err != nil {
		return says(x.in.name(), err)
	}
	return x.write(a, to, array, version)
}

// array reads the input and converts it to the requested dtype, part and order.
func (x conversion) array(a *app, from convert.Format) (*npy.Array, format.Version, error) {
	array, version, err := x.read(a, from)
	if err == nil {
		array, err = x.arrange(array, from == npyFormat)
	}
	return array, version, err
}

// formatFor returns the format that a flag names, or the format of a file's ending.
func (a *app) formatFor(flag, path, arg, name string) (convert.Format, error) {
	if flag != "" {
		flag = strings.ToLower(strings.TrimPrefix(flag, "."))
		if f, ok := a.formats.ForFile("." + flag); ok {
			return f, nil
		}
		switch flag {
		case "raw", "bin":
			return rawFormat, nil
		case "npz":
			return npzFor(arg), nil
		case "npy":
			return npyFormat, nil
		}
		return "", fmt.Errorf("%s: unknown format %q, want npy, npz, raw%s", name, flag, a.known(", "))
	}
	ending := strings.ToLower(filepath.Ext(path))
	if f, ok := a.formats.ForFile(path); ok {
		return f, nil
	}
	switch ending {
	case ".npz":
		return npzFor(arg), nil
	case ".raw", ".bin":
		return rawFormat, nil
	}
	if ending == ".npy" || arg == "IN" && isPickleName(path) || path == "-" || path == os.DevNull || ending == "" && arg == "IN" {
		return npyFormat, nil
	}
	return "", fmt.Errorf("%s: the ending of %q says nothing about its format; want .npy, .npz, .raw, .bin%s, or give %s", arg, path, a.known(", ."), name)
}

// npzFor returns the format of archives. As IN, an archive is recognised by its first bytes.
func npzFor(arg string) convert.Format {
	if arg == "IN" {
		return npyFormat
	}
	return npzFormat
}

func (a *app) known(separator string) string {
	text := ""
	for _, e := range a.formats.Endings() {
		text += separator + strings.TrimPrefix(e, ".")
	}
	return text
}

// checkFlags finds wrong use before anything is read.
func (x *conversion) checkFlags(a *app, from, to convert.Format) error {
	x.order = strings.ToUpper(x.order)
	isArray := to == npyFormat || to == npzFormat
	switch {
	case x.order != "" && x.order != "C" && x.order != "F":
		return fmt.Errorf("--order %s: want C or F", x.order)
	case x.version != "" && x.version != "1.0" && x.version != "2.0" && x.version != "3.0":
		return fmt.Errorf("--npy-version %s: want 1.0, 2.0 or 3.0", x.version)
	case from == rawFormat && x.dtype == "":
		return fmt.Errorf("raw bytes do not say what they are: give --dtype, and --shape if there is more than one axis")
	case from != rawFormat && (x.shape != "" || x.offset != 0):
		return fmt.Errorf("--shape and --offset go with raw bytes as IN (.raw, .bin, or --from raw)")
	case to == rawFormat && x.order == "F":
		return fmt.Errorf("--order F: raw bytes are written in C order; transpose the array with a slice, or write .npy")
	case x.version != "" && !isArray:
		return fmt.Errorf("--npy-version goes with .npy or .npz as OUT")
	case x.member != "" && to != npzFormat:
		return fmt.Errorf("--name goes with .npz as OUT")
	case x.numpy < 0 || x.numpy > 2:
		return fmt.Errorf("--numpy %d: want 1 or 2", x.numpy)
	case x.protocol != 0 && (x.protocol < 2 || x.protocol > 5):
		return fmt.Errorf("--pickle-protocol %d: want 2, 3, 4 or 5", x.protocol)
	case (x.numpy != 0 || x.protocol != 0) && !isArray:
		return fmt.Errorf("--numpy and --pickle-protocol go with .npy or .npz as OUT")
	case a.as.dtype.IsValid() && from != npyFormat:
		return fmt.Errorf("--as goes with .npy or .npz as IN; --dtype says what other formats hold")
	case x.float128 && from == npyFormat && isArray:
		return fmt.Errorf("--float128 goes with text as IN or OUT: .npy to .npy keeps the bytes as they are")
	case x.header != "auto" && x.header != "yes" && x.header != "no":
		return fmt.Errorf("--header %s: want auto, yes or no", x.header)
	case x.out == "-" && (isArray || to == rawFormat || a.isBinary(to)) && terminal.Is(a.out):
		return fmt.Errorf("an array file is not for a terminal; name a file, or pipe the output on")
	case x.in.path != "-" && sameFile(x.in.path, x.out):
		return fmt.Errorf("IN and OUT are the same file; give another name for OUT")
	}
	if x.shape != "" {
		if _, err := parseShape(x.shape); err != nil {
			return err
		}
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

// read reads the input. The version is the version of its header if the input is an .npy file.
func (x conversion) read(a *app, from convert.Format) (*npy.Array, format.Version, error) {
	if x.in.archive != nil {
		return x.readMember()
	}
	if from == rawFormat {
		src, err := x.openRaw(a)
		if err != nil {
			return nil, format.Version{}, err
		}
		defer src.Close()
		array, err := src.ReadAll(context.Background())
		return array, format.Version{}, err
	}
	f, err := a.open(x.in)
	if err != nil {
		return nil, format.Version{}, err
	}
	defer f.Close()
	if from == npyFormat {
		return x.readArray(f)
	}
	array, report, err := a.formats.Read(f, from, x.readOptions(f))
	if err != nil {
		return nil, format.Version{}, err
	}
	x.report(a, report)
	return array, format.Version{}, nil
}

func (x conversion) readArray(f io.Reader) (*npy.Array, format.Version, error) {
	version, f := peekVersion(f)
	array, err := read(f, x.in.path, x.dec)
	return array, version, explain(err)
}

// readMember reads the array of a member and the version of its header. The member is read whole, to verify its
// checksum.
func (x conversion) readMember() (*npy.Array, format.Version, error) {
	info, err := x.in.archive.Info(x.in.member)
	if err != nil {
		return nil, format.Version{}, explain(err)
	}
	array, err := x.in.archive.Array(x.in.member)
	return array, info.Header.Version, explain(err)
}

// cast converts the array to the requested dtype, if there is one.
func (x conversion) cast(array *npy.Array) (*npy.Array, error) {
	t, _ := x.parseDType()
	if !t.IsValid() || t.Equal(array.DType()) {
		return array, nil
	}
	array, err := array.AsType(t)
	if err != nil {
		err = fmt.Errorf("%s; without --dtype it stays as it is", withCasting(reason(err), "npy cast "))
	}
	return array, err
}

// peekVersion returns the version of an .npy file, and a reader that begins at the start of the file.
func peekVersion(f io.Reader) (format.Version, io.Reader) {
	const n = len(format.Magic) + 2
	b, f := peek(f, n)
	if len(b) < n || b[0] != format.Magic[0] {
		return format.Version{}, f
	}
	return format.Version{Major: b[n-2], Minor: b[n-1]}, f
}

// arrange selects the requested part and converts it to the requested order. An array from an array file is converted
// to the requested dtype, too; other formats have been read as this dtype.
func (x conversion) arrange(array *npy.Array, casts bool) (*npy.Array, error) {
	var err error
	if x.in.index != nil {
		if array, err = array.Slice(x.in.index...); err != nil {
			return nil, err
		}
	}
	if casts {
		if array, err = x.cast(array); err != nil {
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
	o := x.writeOptions()
	switch {
	case to == npyFormat:
		err = x.writeArray(a, array, version)
	case to == rawFormat:
		err = x.writeRaw(a, array, npy.Copier{})
	case to == npzFormat:
		err = x.writeArchive(a, func(w *npz.Writer) error { return w.Add(x.outMember(), array) })
	case x.out == "-":
		err = a.formats.Write(context.Background(), a.out, to, array, o)
	default:
		err = a.formats.WriteFile(context.Background(), x.out, to, array, o)
	}
	if isBrokenPipe(err) {
		return err
	}
	if err == nil {
		x.mourn(a, to, array.DType(), array.Shape(), x.olderNumPy(array)...)
	}
	return says(x.out, err)
}

// olderNumPy returns what NumPy 1 does not read of an array.
func (x conversion) olderNumPy(array *npy.Array) []string {
	if x.numpy == 1 && objects.StringTypeOf(array) != nil {
		return []string{"StringDType, which NumPy 1 has not: the elements are objects"}
	}
	return nil
}

// versionFor returns the version of the input, or another version if this one cannot hold the array.
func (x conversion) versionFor(h format.Header) format.Version {
	if x.version != "" {
		return x.askedVersion()
	}
	if _, err := h.Append(nil); err != nil {
		return format.Version{} // the part or the new dtype does not fit the version of IN
	}
	return h.Version
}

func (x conversion) writeArray(a *app, array *npy.Array, version format.Version) error {
	version = x.versionFor(format.Header{DType: array.DType(), Shape: array.Shape(), Version: version})
	e := x.encoder(version)
	if x.out == "-" {
		return e.Write(a.out, array)
	}
	return e.WriteFile(x.out, array)
}

func (x conversion) encoder(version format.Version) npy.Encoder {
	return npy.Encoder{Version: version, Objects: objects.Encoder{NumPy: x.numpy, Protocol: x.protocol, MaxShared: x.objects.limits["MaxShared"]}}
}
