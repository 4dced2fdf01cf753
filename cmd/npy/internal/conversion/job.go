// Package conversion converts one array, or all arrays of an archive, into another file: what 'npy convert' does after
// its flags are checked.
package conversion

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
)

// The formats that package convert does not write.
const (
	NPY convert.Format = "npy"
	NPZ convert.Format = "npz"
	Raw convert.Format = "raw" // elements without a header
)

// A Job is one conversion.
type Job struct {
	In          input.Target
	Out         string // path, or - for Stdout
	From, To    convert.Format
	Member      string         // name of the array in Out if that is an archive; "" for that of In
	DType       dtype.Type     // of the result, or of raw In; invalid to keep or infer it
	Shape       []int          // of raw In; nil for one dimension
	Offset      int64          // of raw In, in bytes
	Order       npy.Order      // of the result
	Version     format.Version // of the result; zero to keep it
	Header      convert.Header // of tables
	Float128    bool
	NumPy       int // version that reads Python objects; 0 to keep it
	Protocol    int // of pickles; 0 to keep it
	MaxDepth    int // of objects in text
	MaxShared   int64
	Memory      int64              // in bytes, for files that are converted in blocks
	Compression *input.Compression // of Out as a whole; nil for none
	Quiet       bool               // do not report what was inferred, nor what is not kept

	name string // of the compressed file that Stdout goes to

	Opener   input.Opener
	Objects  flags.Objects
	Formats  convert.Formats
	Stdout   io.Writer
	Progress func(name string) *terminal.Progress // shows progress on a terminal
}

// Run converts. An error of a file is a [diagnose.FileError].
func (x Job) Run(ctx context.Context) error {
	if x.Compression != nil {
		return x.compressed(ctx)
	}
	if x.Opener.Where != "" {
		return x.rows(ctx)
	}
	if x.From != NPY {
		if done, err := x.copy(ctx); done {
			return err
		}
		return x.whole(ctx)
	}
	in, err := x.Opener.Open(x.In)
	if err != nil {
		return diagnose.Of(x.In.Path, err)
	}
	defer in.Close()
	if x.In = in; in.Archive == nil {
		if done, err := x.copy(ctx); done {
			return err
		}
		return x.whole(ctx)
	}
	if x.To == NPZ && x.In.Member == "" {
		return x.all(ctx)
	}
	if x.In, err = x.In.Only(); err != nil {
		return diagnose.Of(x.In.Path, err)
	}
	return x.whole(ctx)
}

// whole converts an array in memory.
func (x Job) whole(ctx context.Context) error {
	array, version, err := x.read(ctx)
	if err == nil {
		array, err = x.arrange(array, x.From == NPY)
	}
	if err != nil {
		return diagnose.Of(x.In.Name(), err)
	}
	return x.write(ctx, array, version)
}

// read reads the input. The version is the version of its header if the input is an .npy file.
func (x Job) read(ctx context.Context) (*npy.Array, format.Version, error) {
	if x.In.Archive != nil {
		return x.readMember()
	}
	if x.From == Raw {
		src, err := x.openRaw()
		if err != nil {
			return nil, format.Version{}, err
		}
		defer src.Close()
		array, err := src.ReadAll(ctx)
		return array, format.Version{}, err
	}
	if x.From == NPY {
		whole := x.In
		whole.Index = nil
		if in, err := x.Opener.InParts(whole); in != nil && err == nil {
			array, err := in.ReadAll(ctx)
			return array, in.Header.Version, diagnose.Explain(err)
		}
	}
	f, err := x.Opener.Bytes(x.In)
	if err != nil {
		return nil, format.Version{}, err
	}
	defer f.Close()
	if x.From == NPY {
		return x.readArray(input.Until(ctx, f))
	}
	array, report, err := x.Formats.Read(input.Until(ctx, f), x.From, x.readOptions(f))
	if err != nil {
		return nil, format.Version{}, err
	}
	x.report(report)
	return array, format.Version{}, nil
}

func (x Job) readArray(f io.Reader) (*npy.Array, format.Version, error) {
	version, f := peekVersion(f)
	array, err := input.ReadArray(f, x.In.Path, x.Opener.Array)
	return array, version, diagnose.Explain(err)
}

// readMember reads the array of a member and the version of its header. The member is read whole, to verify its
// checksum.
func (x Job) readMember() (*npy.Array, format.Version, error) {
	info, err := x.In.Archive.Info(x.In.Member)
	if err != nil {
		return nil, format.Version{}, diagnose.Explain(err)
	}
	array, err := x.In.Archive.Array(x.In.Member)
	return array, info.Header.Version, diagnose.Explain(err)
}

// peekVersion returns the version of an .npy file, and a reader that begins at the start of the file.
func peekVersion(f io.Reader) (format.Version, io.Reader) {
	const n = len(format.Magic) + 2
	b, f := input.Peek(f, n)
	if len(b) < n || b[0] != format.Magic[0] {
		return format.Version{}, f
	}
	return format.Version{Major: b[n-2], Minor: b[n-1]}, f
}

// arrange selects the requested part and converts it to the requested order. An array from an array file is converted
// to the requested dtype, too; other formats have been read as this dtype.
func (x Job) arrange(array *npy.Array, casts bool) (*npy.Array, error) {
	var err error
	if x.In.Index != nil {
		if array, err = array.Slice(x.In.Index...); err != nil {
			return nil, err
		}
	}
	if casts {
		if array, err = x.cast(array); err != nil {
			return nil, err
		}
	}
	switch x.Order {
	case npy.COrder:
		return array.Contiguous(), nil
	case npy.FortranOrder:
		return array.Fortran(), nil
	}
	return array, nil
}

// cast converts the array to the requested dtype, if there is one.
func (x Job) cast(array *npy.Array) (*npy.Array, error) {
	if !x.DType.IsValid() || x.DType.Equal(array.DType()) {
		return array, nil
	}
	array, err := array.AsType(x.DType)
	if err != nil {
		err = withoutDType(err)
	}
	return array, err
}

// withoutDType adds the way out to an error of a conversion between dtypes.
func withoutDType(err error) error {
	return fmt.Errorf("%s; without --dtype it keeps its dtype", diagnose.WithFlags(err, "npy cast "))
}

func (x Job) write(ctx context.Context, array *npy.Array, version format.Version) error {
	var err error
	o := x.writeOptions()
	switch {
	case x.To == NPY:
		err = x.writeArray(array, version)
	case x.To == Raw:
		err = x.writeRaw(ctx, array, npy.Copier{})
	case x.To == NPZ:
		err = x.writeArchive(func(w *npz.Writer) error { return w.Add(cmp.Or(x.Member, x.In.ArrayName()), array) })
	case x.Out == "-":
		err = x.Formats.Write(ctx, x.Stdout, x.To, array, o)
	default:
		err = x.Formats.WriteFile(ctx, x.Out, x.To, array, o)
	}
	if diagnose.IsBrokenPipe(err) {
		return err
	}
	if err == nil {
		x.warnLosses(array.DType(), array.Shape(), x.olderNumPy(array)...)
	}
	return diagnose.Of(x.Out, err)
}

// olderNumPy returns what NumPy 1 does not read of an array.
func (x Job) olderNumPy(array *npy.Array) []string {
	if x.NumPy == 1 && objects.StringTypeOf(array) != nil {
		return []string{"StringDType, which NumPy 1 does not have: the elements are objects"}
	}
	return nil
}

func (x Job) writeArray(array *npy.Array, version format.Version) error {
	e := x.encoder(x.versionFor(format.Header{DType: array.DType(), Shape: array.Shape(), Version: version}))
	if x.Out == "-" {
		return e.Write(x.Stdout, array)
	}
	return e.WriteFile(x.Out, array)
}

// versionFor returns the version of the input, or another version if this one cannot hold the array.
func (x Job) versionFor(h format.Header) format.Version {
	if x.Version != (format.Version{}) {
		return x.Version
	}
	if _, err := h.Append(nil); err != nil {
		return format.Version{} // the part or the new dtype does not fit the version of In
	}
	return h.Version
}

func (x Job) encoder(version format.Version) npy.Encoder {
	return npy.Encoder{Version: version, Objects: objects.Encoder{NumPy: x.NumPy, Protocol: x.Protocol, MaxShared: x.Objects.Limits["MaxShared"]}}
}

func (x Job) writeOptions() convert.WriteOptions {
	o := x.Objects.Limits.Write(convert.WriteOptions{NoHeader: x.Header == convert.HeaderNo, Float128: x.Float128})
	o.MaxDepth, o.MaxShared = cmp.Or(x.MaxDepth, o.MaxDepth), cmp.Or(x.MaxShared, o.MaxShared)
	return o
}

func (x Job) readOptions(f io.Reader) convert.ReadOptions {
	o := convert.ReadOptions{DType: x.DType, Float128: x.Float128, Memory: x.Memory, Version: x.Version}
	return x.Opener.TextOptions(o, f)
}

// report prints what was inferred from In, and what the array cannot hold of it.
func (x Job) report(r convert.Report) {
	if x.Quiet {
		return
	}
	if r.Inferred || r.Skipped > 0 {
		x.Opener.Tell("%s: %s; change it with --dtype", diagnose.FileName(x.In.Path), r)
	}
	for _, note := range r.Notes {
		x.Opener.Tell("%s: %s", diagnose.FileName(x.In.Path), diagnose.TableFlags(note))
	}
	if len(r.Lost) > 0 {
		x.Opener.Tell("%s: not kept: %s", diagnose.FileName(x.In.Path), strings.Join(r.Lost, "; "))
	}
}

// warnLosses reports what the output format cannot hold of an array.
func (x Job) warnLosses(t dtype.Type, shape []int, more ...string) {
	lost := append(x.Formats.Losses(x.To, t, shape), more...)
	if len(lost) == 0 || x.Quiet {
		return
	}
	name := x.Out
	switch {
	case x.name != "":
		name = x.name
	case x.Out == "-":
		name = "standard output"
	}
	x.Opener.Tell("%s: not kept: %s", name, strings.Join(lost, "; "))
}

// isFile reports whether Out is a file that is written under another name and renamed.
func (x Job) isFile() bool { return x.Out != "-" && x.Out != os.DevNull }
