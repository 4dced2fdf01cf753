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
	"github.com/npygo/npy/cmd/npy/internal/urls"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
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
	if remote.IsURL(o.Path) {
		return o.afar(func(o Output) error { return o.Write(ctx, src, part, c, text) })
	}
	sorted, _ := src.(*query.Sorted)
	switch {
	case o.IsContainer():
		return o.WriteContainer(func(w container.Writer) error {
			return Put(ctx, w, part, src, c.Progress)
		})
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
	if o.Path == "-" {
		return o.Formats.Write(ctx, o.Stdout, o.Format, src, text)
	}
	return o.Formats.WriteFile(ctx, o.Path, o.Format, src, text)
}

// afar calls write with an Output whose standard output is the file at the URL that o is.
func (o Output) afar(write func(o Output) error) error {
	return o.URLs.Write(o.Path, func(w io.Writer) error {
		stream := o
		stream.Path, stream.Stdout = "-", w
		return write(stream)
	})
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

// try writes an array of Python objects to nowhere, since a format learns only from the elements whether it can hold them. Arrays
// of other dtypes fit or not before their elements are written.
func (o Output) try(part Part, src npy.Source) error {
	array, ok := src.(*npy.Array)
	f, _ := o.Container()
	if !ok || !array.DType().HasObject() || f.InStream {
		return nil
	}
	w, err := f.New(&nowhere{}, container.WriteOptions{Store: true})
	if err != nil {
		return err
	}
	to, err := w.Begin(container.Entry{Path: part.Path, DType: array.DType(), Shape: array.Shape()}, nil)
	if err != nil {
		return nil // the error of the file that is written is the one to tell
	}
	return to.Write(array.Contiguous())
}

// holds reports whether a container can hold an attribute.
func (o Output) holds(a container.Attribute) bool {
	f, _ := o.Container()
	w, err := f.New(&nowhere{}, container.WriteOptions{})
	if err != nil {
		return false
	}
	_, err = w.Begin(container.Entry{Path: "x", Group: true}, []container.Attribute{a})
	return err == nil
}

// A nowhere forgets what is written.
type nowhere struct{ at, size int64 }

// Write implements io.Writer.
func (n *nowhere) Write(b []byte) (int, error) {
	n.at += int64(len(b))
	n.size = max(n.size, n.at)
	return len(b), nil
}

// Seek implements io.Seeker.
func (n *nowhere) Seek(offset int64, whence int) (int64, error) {
	n.at = offset + map[int]int64{io.SeekStart: 0, io.SeekCurrent: n.at, io.SeekEnd: n.size}[whence]
	return n.at, nil
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

// A watchedWriter tells the progress of an array.
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
	return &watchedArray{to, w, 0}, nil
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
	a.done += int64(block.Size()) * int64(block.DType().ItemSize())
	a.of.progress(a.done, a.of.total)
	return nil
}
