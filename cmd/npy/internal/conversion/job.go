// Package conversion converts one array, or all arrays of a container, into another file. It is 'npy convert' after its
// flags are checked.
package conversion

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
)

// The formats that package convert does not write, besides files with several arrays.
const (
	NPY convert.Format = "npy" // as In, also every file with several arrays
	Raw convert.Format = "raw" // elements without a header
)

// A Job is one conversion.
type Job struct {
	In          input.Target
	Out         string // path, or - for Stdout
	From, To    convert.Format
	Member      string         // name of the array in Out if Out has several; "" for the name in In
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
	Quiet       bool               // do not report inferences and losses

	EscapeFormulas bool        // in CSV and TSV
	NaN            convert.NaN // in JSON and NDJSON

	name string // of the compressed file that Stdout goes to

	Opener   input.Opener
	Objects  flags.Objects
	Formats  convert.Formats
	Stdout   io.Writer
	Progress func(name string) *terminal.Progress // shows progress on a terminal
	Complain func(diagnose.FileError)             // takes the error of an array when the others can be converted
}

// Run converts. An error of a file is a [diagnose.FileError].
func (x Job) Run(ctx context.Context) error {
	if x.Compression != nil {
		return x.compressed(ctx)
	}
	if x.From != NPY {
		if x.copiesText() {
			return x.copyFrom(ctx)
		}
		return x.array(ctx)
	}
	in, err := x.Opener.Open(x.In)
	if err != nil {
		return diagnose.Of(x.In.Path, err)
	}
	defer in.Close()
	if x.In = in; in.Container == nil {
		if x.asIs() {
			if done, err := x.streamRows(ctx); done || err != nil {
				return err
			}
		}
		return x.array(ctx)
	}
	s, t, one, err := in.Select()
	if err == nil && !one {
		if x.output(format.Version{}).IsContainer() {
			x.In = t
			return x.all(ctx, s)
		}
		t, err = in.Only()
	}
	if err != nil {
		return diagnose.Of(in.Path, err)
	}
	x.In = t
	return x.array(ctx)
}

// array converts one array.
func (x Job) array(ctx context.Context) error {
	src, err := x.open(ctx)
	if err != nil {
		return diagnose.Of(x.In.Name(), err)
	}
	defer src.Close()
	version := src.Header.Version
	converted, err := x.converted(ctx, src)
	if err != nil {
		return diagnose.Of(x.In.Name(), err)
	}
	options := x.writeOptions()
	if converted, err = x.Opener.Lines.Write(ctx, converted, &options); err != nil {
		return x.blame(err)
	}
	var losses LossList
	part, err := x.part(converted, &losses)
	if err != nil {
		return diagnose.Of(x.In.Name(), err)
	}
	progress := x.Progress(x.outName())
	defer progress.Clear()
	c := npy.Copier{Order: x.Order, Memory: x.Memory, Progress: progress.Set, DType: converted.DType()}
	if x.casts() && x.To == NPY || x.To == Raw && x.casts() {
		c.DType = x.DType
	}
	c.Encoder = x.encoder(x.versionFor(format.Header{DType: c.DType, Shape: converted.Shape(), Version: version}))
	o := x.output(x.Version)
	o.Options.Lost = losses.Add
	if err := o.Write(ctx, converted, part, c, options); err != nil {
		return x.blame(err)
	}
	progress.Clear()
	x.warnLosses(converted, losses)
	return nil
}

// output returns where arrays are written. version is the version of the format, for members of archives.
func (x Job) output(version format.Version) Output {
	e := npz.Encoder{Array: x.encoder(version)}
	return Output{
		Path: x.Out, Format: x.To, Formats: x.Formats, Containers: input.Formats(x.Opener.Limits, npy.Decoder{}, e),
		Stdout: x.Stdout, Temporary: x.Opener.Temporary, URLs: x.Opener.URLs,
	}
}

// part returns the name of the array in Out, and its description in In. A link to an array stands for the array.
func (x Job) part(src npy.Source, losses *LossList) (Part, error) {
	if x.In.Container == nil {
		return Part{Entry: container.Entry{Path: cmp.Or(x.Member, x.In.ArrayName())}}, nil
	}
	e, err := x.In.Container.Entry(x.In.Member)
	if err != nil {
		return Part{}, err
	}
	e.LinkKind = ""
	return x.partOf(e, src, losses)
}

// partOf returns the description of an array in Out by an entry of In, as far as it holds for the converted elements.
func (x Job) partOf(e container.Entry, src npy.Source, losses *LossList) (p Part, err error) {
	path := cmp.Or(x.Member, x.In.ArrayName())
	p.Entry = Converted(e, src, x.In.Index != nil, x.casts(), func(l container.Loss) {
		l.Path = path
		losses.Add(l)
	})
	p.Path = path
	if x.Opener.Scale {
		p.Fill = nil
	}
	p.Attributes, err = x.attributes(x.In.Member)
	return p, err
}

// Converted returns the description of an array after its elements have become src: a part of it, some rows, another
// dtype. Properties that do not hold any more are reported to lost, unless it goes without saying.
func Converted(e container.Entry, src npy.Source, isPart, casts bool, lost func(container.Loss)) container.Entry {
	shape := src.Shape()
	whole := !isPart && slices.Equal(shape, e.Shape)
	if len(e.Dims) != len(shape) {
		e.Dims = nil
	}
	if !whole {
		e.Scales, e.Labels, e.IsScale, e.Null = nil, nil, false, false
		fits := len(e.MaxShape) == len(shape) && !isPart
		for i := 0; fits && i < len(shape); i++ {
			fits = e.MaxShape[i] == container.Unlimited || e.MaxShape[i] >= shape[i]
		}
		if !fits {
			e.MaxShape = nil
		}
	}
	switch {
	case isPart:
		e.Chunks = nil
	case e.MaxShape == nil:
		e.Chunks = chunksFor(e.Chunks, shape)
	}
	if t := src.DType(); casts && !t.Equal(e.DType) && e.Meaning != nil {
		if e.Meaning.HasEnum() {
			lost(container.Loss{What: "the names of an enum", Detail: "the dtype changes"})
		}
		e.Meaning = nil
	}
	return e
}

// chunksFor returns chunks that are not longer than the array, or nil to let the format choose.
func chunksFor(chunks, shape []int) []int {
	if len(chunks) != len(shape) || slices.Contains(shape, 0) {
		return nil
	}
	fit := slices.Clone(chunks)
	for i, n := range shape {
		fit[i] = min(fit[i], n)
	}
	return fit
}

// open opens the array of In: the part that In names, and of that the rows that satisfy the condition.
func (x Job) open(ctx context.Context) (*input.Array, error) {
	if x.From == NPY && (x.Opener.Changes() || x.In.Container != nil || x.Opener.IsRegular(x.In)) {
		return x.Opener.Once(ctx, x.In)
	}
	if x.From == NPY {
		return x.Opener.Source(ctx, x.In)
	}
	if x.From == Raw {
		in, err := x.openRaw(ctx)
		if err != nil {
			return nil, err
		}
		return x.Opener.ChangeOf(ctx, in)
	}
	in, report, err := x.Opener.ReadFormat(ctx, x.In, x.From, x.readOptions())
	if err != nil {
		return nil, err
	}
	x.report(report)
	in.Header.Version = format.Version{}
	return x.Opener.ChangeOf(ctx, in)
}

// casts reports whether --dtype converts elements. Other formats have been read as this dtype.
func (x Job) casts() bool { return x.From == NPY && x.DType.IsValid() }

// converted returns src after the conversions that neither a Copier nor the writer of text does: objects and arrays in memory have the
// requested dtype and order, and so has every array that goes to a file with several.
func (x Job) converted(ctx context.Context, src *input.Array) (npy.Source, error) {
	array, inMemory := src.Source.(*npy.Array)
	toContainer := x.output(x.Version).IsContainer()
	switch {
	case inMemory:
	case src.DType().HasObject(), toContainer && x.Order == npy.FortranOrder && !npy.HeaderOf(src.Source).FortranOrder:
		var err error
		if array, err = src.ReadAll(ctx); err != nil {
			return nil, diagnose.Explain(err)
		}
	case x.casts() && x.To != NPY && x.To != Raw:
		to, err := x.becomes(src.DType())
		if err != nil || !toContainer {
			return src.Source, err
		}
		cast, err := npy.Cast(src.Source, to, npy.SafeCasting)
		if x.Order == npy.COrder {
			return cOrder{cast}, err
		}
		return cast, err
	case toContainer && x.Order == npy.COrder:
		return cOrder{src.Source}, nil
	default:
		return src.Source, nil
	}
	return x.arrange(array)
}

// arrange converts an array in memory to the requested dtype and order.
func (x Job) arrange(array *npy.Array) (*npy.Array, error) {
	if x.casts() {
		var err error
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

// becomes returns the dtype that the elements of In are converted to.
func (x Job) becomes(t dtype.Type) (dtype.Type, error) {
	empty, err := npy.New(t, 0)
	if err == nil && x.casts() {
		empty, err = x.cast(empty)
	}
	if err != nil {
		return t, err
	}
	return empty.DType(), nil
}

// cast converts the array to the requested dtype.
func (x Job) cast(array *npy.Array) (*npy.Array, error) {
	if x.DType.Equal(array.DType()) {
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
	o := x.Objects.Limits.Write(convert.WriteOptions{NoHeader: x.Header == convert.HeaderNo, Float128: x.Float128, EscapeFormulas: x.EscapeFormulas, NaN: x.NaN})
	o.MaxDepth, o.MaxShared = cmp.Or(x.MaxDepth, o.MaxDepth), cmp.Or(x.MaxShared, o.MaxShared)
	if x.casts() {
		o.DType = x.DType
	}
	return o
}

func (x Job) readOptions() convert.ReadOptions {
	return convert.ReadOptions{DType: x.DType, Float128: x.Float128, Version: x.Version}
}

// report prints the types that were inferred from In, and the properties of In that the array cannot hold.
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

// isFile reports whether Out is a file that is written under another name and renamed.
func (x Job) isFile() bool { return x.Out != "-" && x.Out != os.DevNull }
