package conversion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/cmd/npy/internal/urls"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/remote"
)

// An Output is a file, or standard output, in one of the formats that the command writes.
type Output struct {
	Path       string            // or - for Stdout
	Format     convert.Format    // NPY, Raw, one of Formats, or the first ending of one of Containers
	Formats    convert.Formats   // text and pictures
	Containers container.Formats // files with several arrays
	Options    container.WriteOptions
	Stdout     io.Writer
	Temporary  func(remove func()) (done func()) // as of an [input.Opener]
	URLs       *urls.Client
}

// Container returns the format of an Output that has several arrays.
func (o Output) Container() (container.Format, bool) {
	return o.Containers.ForName("." + string(o.Format))
}

// IsContainer reports whether the Output has several arrays.
func (o Output) IsContainer() bool {
	_, ok := o.Container()
	return ok
}

// IsFile reports whether the Output is a file that is written under another name and renamed.
func (o Output) IsFile() bool { return o.Path != "-" && o.Path != os.DevNull }

// A Part is an array that goes to an Output.
type Part struct {
	container.Entry // Path is its name if the Output has several arrays
	Attributes      []container.Attribute
}

// Write writes an array. The Copier has the order and the memory, and a dtype for .npy files and raw bytes. Text takes the
// options. An error of a container that is not about src is a [container.WriteError].
func (o Output) Write(ctx context.Context, src npy.Source, part Part, c npy.Copier, text convert.WriteOptions) error {
	again := func(o Output) error { return o.Write(ctx, src, part, c, text) }
	if z, _ := input.CompressionOf(o.Path); z != nil && o.IsFile() {
		if o.IsContainer() {
			return fmt.Errorf("the arrays in a %s file are compressed; leave the second ending out", o.Format)
		}
		return o.URLs.Replace(o.Path, func(w io.Writer) error {
			return Compress(z, w, func(w io.Writer) error { return again(o.stream(w)) })
		})
	}
	if remote.IsURL(o.Path) {
		return o.afar(again)
	}
	if o.IsContainer() {
		return o.WriteContainer(func(w container.Writer) error {
			return Put(ctx, w, part, src, c.Progress)
		})
	}
	text.Note = func(loss string) { o.Options.Lose(container.Loss{Path: part.Path, What: loss}) }
	if err := o.writeSingle(ctx, src, c, text); err != nil {
		return err
	}
	t := src.DType()
	if text.DType.IsValid() {
		t = text.DType
	}
	if text.Lines != nil {
		var err error
		if t, err = input.WithoutLine(t); err != nil {
			return err
		}
	}
	o.lose(t, src.Shape(), part)
	return nil
}

// writeSingle writes an array in a format that has one.
func (o Output) writeSingle(ctx context.Context, src npy.Source, c npy.Copier, text convert.WriteOptions) error {
	sorted, _ := src.(*query.Sorted)
	switch {
	case o.Format == NPY && sorted != nil && o.Path == "-":
		return sorted.Write(ctx, o.Stdout)
	case o.Format == NPY && sorted != nil:
		return sorted.WriteFile(ctx, o.Path)
	case o.Format == NPY:
		return o.writeArray(ctx, src, c)
	case o.Format == Raw:
		return o.writeRaw(ctx, src, c)
	}
	text.Memory, text.Progress = c.Memory, c.Progress
	if o.IsTerminal() {
		return o.show(ctx, src, text)
	}
	if o.Path == "-" {
		return o.Formats.Write(ctx, o.Stdout, o.Format, src, text)
	}
	to, err := o.Formats.Find(o.Format)
	if err != nil {
		return err
	}
	return to.WriteFile(ctx, o.Path, src, text)
}

// IsTerminal reports whether the Output goes to a terminal: standard output, or a path such as /dev/tty.
func (o Output) IsTerminal() bool {
	if o.Path == "-" {
		return terminal.Is(o.Stdout)
	}
	return terminal.IsPath(o.Path)
}

// show writes text to a terminal, with escapes for codes that the terminal would obey. The escapes of JSON keep its values.
func (o Output) show(ctx context.Context, src npy.Source, text convert.WriteOptions) error {
	w := o.Stdout
	if o.Path != "-" {
		f, err := os.OpenFile(o.Path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		w = f
	}
	if o.Format == convert.JSON || o.Format == convert.NDJSON {
		return o.Formats.Write(ctx, terminal.EscapeJSON(w), o.Format, src, text)
	}
	e := terminal.Escape(w)
	if err := o.Formats.Write(ctx, e, o.Format, src, text); err != nil {
		return err
	}
	return e.Flush()
}

// afar calls write with an Output whose standard output is the file at the URL that o is.
func (o Output) afar(write func(o Output) error) error {
	return o.URLs.Write(o.Path, func(w io.Writer) error {
		return write(o.stream(w))
	})
}

// stream returns the Output whose standard output is w.
func (o Output) stream(w io.Writer) Output {
	o.Path, o.Stdout = "-", w
	return o
}

// writeArray writes an .npy file.
func (o Output) writeArray(ctx context.Context, src npy.Source, c npy.Copier) error {
	array, inMemory := src.(*npy.Array)
	switch {
	case inMemory && o.Path == "-":
		return c.Encoder.Write(o.Stdout, array)
	case inMemory:
		return c.Encoder.WriteFile(o.Path, array)
	case o.Path == "-":
		return c.Write(ctx, o.Stdout, src)
	}
	return c.WriteFile(ctx, o.Path, src)
}

// writeRaw writes the elements of an array without a header.
func (o Output) writeRaw(ctx context.Context, src npy.Source, c npy.Copier) error {
	if src.DType().HasObject() {
		return errors.New("raw bytes cannot hold Python objects; write .npy, or text")
	}
	if o.Path == "-" {
		return convert.WriteRaw(ctx, o.Stdout, src, c)
	}
	return convert.WriteRawFile(ctx, o.Path, src, c)
}

// WriteContainer writes a file with several arrays that fill fills. After an error there is no file.
func (o Output) WriteContainer(fill func(container.Writer) error) error {
	f, ok := o.Container()
	if !ok {
		return fmt.Errorf("%s has no place for several arrays", o.Format)
	}
	if remote.IsURL(o.Path) {
		return o.afar(func(o Output) error { return o.WriteContainer(fill) })
	}
	if o.Path != "-" {
		return f.Create(o.Path, o.Options, fill)
	}
	if f.InStream {
		return writeTo(f, noSeek{o.Stdout}, o.Options, fill)
	}
	spool, remove, err := input.Spool(o.Temporary)
	if err != nil {
		return err
	}
	defer remove()
	if err := writeTo(f, spool, o.Options, fill); err != nil {
		return input.SpoolError(err)
	}
	_, err = io.Copy(o.Stdout, io.NewSectionReader(spool, 0, math.MaxInt64))
	return err
}

// writeTo writes a container to an open file.
func writeTo(f container.Format, to io.WriteSeeker, options container.WriteOptions, fill func(container.Writer) error) error {
	w, err := f.New(to, options)
	if err != nil {
		return err
	}
	if err := fill(w); err != nil {
		return err
	}
	return w.Close()
}

// A noSeek is a stream for formats that do not seek.
type noSeek struct{ io.Writer }

// Seek implements io.Seeker.
func (noSeek) Seek(int64, int) (int64, error) { return 0, errors.ErrUnsupported }

// isUnfit reports whether an error of Put came before anything of the array was written, so that other arrays can follow.
func isUnfit(err error) bool {
	var we *container.WriteError
	return errors.As(err, &we) && !we.Begun && !diagnose.OfWriting(err)
}

// Put adds an array to a container, as [container.Put] does. progress may be nil.
func Put(ctx context.Context, w container.Writer, part Part, src npy.Source, progress func(done, total int64)) error {
	if progress != nil {
		watched := watchedWriter{w, progress, format.Header{DType: src.DType(), Shape: src.Shape()}.NBytes()}
		if _, ok := w.(container.FortranWriter); ok {
			w = watchedFortran{watched}
		} else {
			w = watched
		}
	}
	return container.Put(ctx, w, part.Entry, part.Attributes, src)
}

// A watchedWriter reports the progress of an array.
type watchedWriter struct {
	container.Writer
	progress func(done, total int64)
	total    int64
}

// A watchedFortran is a watchedWriter that keeps Fortran order.
type watchedFortran struct{ watchedWriter }

// KeepsFortran implements [container.FortranWriter].
func (watchedFortran) KeepsFortran() {}

// Begin implements [container.Writer].
func (w watchedWriter) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
	to, err := w.Writer.Begin(e, attributes)
	if err != nil {
		return nil, err
	}
	a := &watchedArray{to, w, 0}
	if copies, ok := to.(container.CopiesWriter); ok {
		return &watchedCopies{a, copies}, nil
	}
	return a, nil
}

// A watchedArray is the ArrayWriter of a watchedWriter.
type watchedArray struct {
	container.ArrayWriter
	of   watchedWriter
	done int64
}

// Write implements [container.ArrayWriter].
func (a *watchedArray) Write(block *npy.Array) error {
	if err := a.ArrayWriter.Write(block); err != nil {
		return err
	}
	a.count(block.Size(), block.DType())
	return nil
}

// count reports n more written elements.
func (a *watchedArray) count(n int, t dtype.Type) {
	a.done += int64(n) * int64(t.ItemSize())
	a.of.progress(a.done, a.of.total)
}

// A watchedCopies is a watchedArray that takes one element many times.
type watchedCopies struct {
	*watchedArray
	to container.CopiesWriter
}

// WriteCopies implements [container.CopiesWriter].
func (a *watchedCopies) WriteCopies(value *npy.Array, n int) error {
	if err := a.to.WriteCopies(value, n); err != nil {
		return err
	}
	a.count(n, value.DType())
	return nil
}

// CopiesCost implements [container.CopiesWriter].
func (a *watchedCopies) CopiesCost(value *npy.Array, n int) int64 { return a.to.CopiesCost(value, n) }
