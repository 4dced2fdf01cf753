package input

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/source"
)

// An Array is an open array, or the part of one that a target names. It must be closed.
type Array struct {
	npy.Source
	Header format.Header // of the whole array, with the version of its file; without DataOffset if there is no file

	close func()
}

// Unwrap returns the Source, for functions of package npy that ask for its optional methods.
func (a *Array) Unwrap() npy.Source { return a.Source }

// Close releases the file.
func (a *Array) Close() {
	if a.close != nil {
		a.close()
	}
}

// inMemory returns an array that has been read.
func inMemory(a *npy.Array, err error) (*Array, error) {
	if err != nil {
		return nil, diagnose.Explain(err)
	}
	return &Array{Source: a, Header: npy.HeaderOf(a)}, nil
}

// Source opens the array that a target names, or the only one of a container, for reads in any order. Elements of files, and
// of members that can be decoded from any place, are read on demand. Everything else is read now: up to wholeMax bytes into
// memory, and more into a temporary file. The checksums of members that are read whole are verified.
func (o Opener) Source(ctx context.Context, t Target) (*Array, error) {
	a, err := o.source(ctx, t, nil)
	return o.change(ctx, a, err)
}

// A Choice says which part of an array of a shape is read. shape is the shape of the array after the index of the target.
type Choice func(shape []int) ([]npy.Index, error)

// Chosen is [Opener.Source] for a part of the array. Data that can only be read in sequence is read up to the end of the part.
func (o Opener) Chosen(ctx context.Context, t Target, choose Choice) (*Array, error) {
	if !o.Changes() {
		return o.source(ctx, t, choose)
	}
	a, err := o.Source(ctx, t)
	if err != nil {
		return nil, err
	}
	return a.choose(choose)
}

// choose replaces an array by its part.
func (a *Array) choose(choose Choice) (*Array, error) {
	if choose == nil {
		return a, nil
	}
	index, err := choose(a.Shape())
	if err == nil {
		a.Source, err = a.Source.Select(index...)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

func (o Opener) source(ctx context.Context, t Target, choose Choice) (*Array, error) {
	named := t.Container != nil
	t, done, err := o.opened(t)
	if err != nil {
		return nil, err
	}
	if t.Container != nil && !named {
		if t, err = t.Only(); err != nil {
			done()
			return nil, err
		}
	}
	a, err := o.sourceOf(ctx, t, choose)
	if err != nil {
		done()
		return nil, err
	}
	a.alsoClose(done)
	return a, nil
}

// sourceOf is source for an open target.
func (o Opener) sourceOf(ctx context.Context, t Target, choose Choice) (*Array, error) {
	if f := o.inParts(t); f != nil {
		a, err := Part(f, t, func() {})
		if err != nil {
			return nil, err
		}
		return a.choose(choose)
	}
	if t.Container != nil {
		return o.sourceOfMember(ctx, t, choose)
	}
	if from, ok := o.textOf(t); ok {
		a, err := o.ReadText(ctx, t, from)
		if err != nil {
			return nil, diagnose.Explain(err)
		}
		return a.choose(choose)
	}
	f, err := o.Bytes(ctx, t)
	if err != nil {
		return nil, err
	}
	a, err := o.stream(ctx, f, t)
	if err != nil {
		return nil, diagnose.Explain(err)
	}
	return o.anywhere(ctx, a, true, t.Index, choose)
}

// IsRegular reports whether an open target is a file whose parts can be read.
func (o Opener) IsRegular(t Target) bool { return o.inParts(t) != nil }

// TextFormat returns the format of a file of text or an image, by From or the ending of its name.
func (o Opener) TextFormat(t Target) (convert.Format, bool) {
	if o.From != "" {
		return o.From, true
	}
	_, plain := CompressionOf(t.Path)
	return convert.ForFile(plain)
}

// textOf returns the format of an open file that is no array file.
func (o Opener) textOf(t Target) (convert.Format, bool) {
	from, ok := o.TextFormat(t)
	return from, ok && t.Container == nil && t.Nth == 0 && o.inParts(t) == nil
}

// Load reads the array that a target names, or the part of it.
func (o Opener) Load(ctx context.Context, t Target) (*npy.Array, error) {
	a, err := o.Source(ctx, t)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	array, err := a.ReadAll(ctx)
	return array, diagnose.Explain(err)
}

// Once is [Opener.Source] for a reader of all elements. Standard input and pipes are a stream, which can be read once, and
// members of archives are read in blocks, too.
func (o Opener) Once(ctx context.Context, t Target) (*Array, error) {
	a, err := o.once(ctx, t)
	return o.change(ctx, a, err)
}

func (o Opener) once(ctx context.Context, t Target) (*Array, error) {
	t, done, err := o.opened(t)
	if err != nil {
		return nil, err
	}
	if f := o.inParts(t); f != nil {
		return Part(f, t, done)
	}
	if t.Container != nil {
		return o.member(t, done)
	}
	if _, ok := o.textOf(t); ok || t.Index != nil {
		a, err := o.sourceOf(ctx, t, nil)
		if err != nil {
			done()
			return nil, err
		}
		a.alsoClose(done)
		return a, nil
	}
	f, err := o.Bytes(ctx, t)
	if err != nil {
		done()
		return nil, err
	}
	a, err := o.stream(ctx, f, t)
	if err != nil {
		f.Close()
		done()
		return nil, diagnose.Explain(err)
	}
	a.close = func() {
		f.Close()
		done()
	}
	return o.reorder(a), nil
}

// member returns the array of a container, or its part, that a target names. Closing it calls done. Its checksum is
// verified when all elements are read.
func (o Opener) member(t Target, done func()) (*Array, error) {
	src, err := o.Entry(t)
	if err != nil {
		done()
		return nil, diagnose.Explain(err)
	}
	a := &Array{Source: src, Header: npy.HeaderOf(src), close: done}
	if _, ok := t.compressed(); ok || source.IsSequential(src) {
		return o.reorder(a), nil
	}
	return a, nil
}

// Entry returns the array of a container that a target names, or its part.
func (o Opener) Entry(t Target) (npy.Source, error) {
	if t.Container.IsGroup(t.Member) {
		return nil, t.errGroup()
	}
	src, err := t.Container.Source(t.Member)
	if err == nil && o.Array.Objects == nil && src.DType().HasObject() {
		return nil, npy.ErrObjects
	}
	if err == nil && o.Scale {
		src, err = t.scaled(src)
	}
	if err != nil || t.Index == nil {
		return src, err
	}
	return t.selected(src)
}

// selected returns the part of an array that the index of a target names.
func (t Target) selected(src npy.Source) (npy.Source, error) {
	part, err := src.Select(t.Index...)
	var fe *npy.FieldError
	if errors.As(err, &fe) && len(t.Index) > 1 && !fe.DType.IsStruct() {
		err = &npy.FieldError{DType: fe.DType, Path: fe.Path, Hint: "several fields are [[a, b]]"}
	}
	return part, err
}

// stream returns the array in f as a stream. Python objects are read into memory.
func (o Opener) stream(ctx context.Context, f io.Reader, t Target) (*Array, error) {
	r := bufio.NewReaderSize(Until(ctx, f), 1<<16)
	inStream := t.file != nil && t.file.regular == nil
	if inStream {
		t.file.reader = r // it reads ahead
	}
	var head bytes.Buffer
	h, err := o.Array.Format().ReadHeader(io.TeeReader(r, &head))
	if err != nil || h.DType.HasObject() {
		d := o.Array
		d.Objects = t.Packed(d.Objects)
		array, err := ReadArray(io.MultiReader(&head, r), t.Path, d)
		if err == nil {
			err = o.rest(f, r)
		}
		if err != nil {
			return nil, err
		}
		return &Array{Source: array, Header: npy.HeaderOf(array)}, nil
	}
	elements := &elements{r: r, left: h.NBytes(), rest: func() error { return o.rest(f, r) }}
	if elements.left == 0 {
		err = elements.rest()
	}
	if err != nil {
		return nil, err
	}
	if inStream {
		t.file.rest = elements
	}
	s, err := npy.NewStream(h, elements)
	if err != nil {
		return nil, err
	}
	return &Array{Source: s, Header: h}, nil
}

// rest is [Rest] after an array, unless another array follows that is visited, too.
func (o Opener) rest(f, r io.Reader) error {
	if b, ok := r.(*bufio.Reader); ok && o.Several {
		if head, _ := b.Peek(len(format.Magic)); string(head) == format.Magic {
			return nil
		}
	}
	return Rest(f, r)
}

// elements is the bytes of the elements of an array, before whose last are returned the rest of the file is read.
type elements struct {
	r    io.Reader
	left int64
	rest func() error
	err  error // of rest
}

// Read implements io.Reader.
func (e *elements) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, cmp.Or(e.err, io.EOF)
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	if e.left -= int64(n); e.left > 0 || err != nil && err != io.EOF {
		return n, err
	}
	if e.err = e.rest(); e.err != nil {
		return 0, e.err
	}
	return n, nil
}

// inParts returns the array of a file that can be read in parts. It returns nil for everything else: standard input,
// pipes, members of archives, pickles, Python objects and files that are not arrays. Reading such a file in sequence
// reports its kind. An array in parts is one, too.
func (o Opener) inParts(t Target) npy.Source {
	if t.file != nil && t.file.joined != nil {
		return t.file.joined
	}
	if f := o.inFile(t); f != nil {
		return f
	}
	return nil
}

// inFile is inParts for arrays in one file.
func (o Opener) inFile(t Target) *npy.File {
	if t.file == nil || t.file.regular == nil {
		return nil
	}
	var f *npy.File
	var err error
	if t.file.base > 0 {
		rest := SizeOf(t.file.regular) - t.file.base
		f, err = o.array(t.file).OpenReaderAt(io.NewSectionReader(t.file.regular, t.file.base, rest), rest)
	} else if size := SizeOf(t.file.regular); o.Progress != nil && o.Progress.Shows() {
		f, err = o.array(t.file).OpenReaderAt(terminal.WatchAt(t.file.regular, o.Progress, size), size)
	} else if local, ok := t.file.regular.(*os.File); ok {
		f, err = o.Array.OpenFile(local)
	} else {
		f, err = o.array(t.file).OpenReaderAt(t.file.regular, size)
	}
	if err != nil || f.DType().HasObject() {
		return nil
	}
	return f
}

// Part returns the part of an array that a target names. Closing it calls done.
func Part(f npy.Source, t Target, done func()) (*Array, error) {
	a := &Array{Source: f, Header: npy.HeaderOf(f), close: done}
	if t.Index == nil {
		return a, nil
	}
	p, err := t.selected(f)
	if err != nil {
		done()
		return nil, diagnose.Explain(err)
	}
	a.Source = p
	return a, nil
}

// Map maps the file of an open target into memory. It returns nil if the file cannot be mapped, or its array is changed.
func (o Opener) Map(t Target) *mmap.File {
	if t.Nth > 0 || o.Changes() || o.inFile(t) == nil {
		return nil
	}
	local, ok := t.file.regular.(*os.File)
	if !ok {
		return nil
	}
	m, err := mmap.Options{Array: o.Array}.OpenFile(local)
	if err != nil {
		return nil
	}
	return m
}

// ReadText reads an array from text, or the part that the target names, and reports the inferred types.
func (o Opener) ReadText(ctx context.Context, t Target, from convert.Format) (*Array, error) {
	a, report, err := o.ReadFormat(ctx, t, from, convert.ReadOptions{DType: o.Text.DType, Rows: o.Text.Rows})
	if err != nil {
		return nil, err
	}
	if report.Inferred {
		o.Tell("%s: %s; change it with 'npy convert --dtype'", diagnose.FileName(t.Path), report)
	}
	for _, note := range report.Notes {
		note = strings.Replace(note, "give a dtype", "'npy convert --dtype' sets one", 1)
		o.Tell("%s: %s", diagnose.FileName(t.Path), diagnose.TableFlags(note))
	}
	return a, nil
}

// ReadFormat reads an array from text or a picture, or the part that the target names: up to textMax bytes into memory, and
// more into a temporary file. It adds the limits of text to options.
func (o Opener) ReadFormat(ctx context.Context, t Target, from convert.Format, options convert.ReadOptions) (*Array, convert.Report, error) {
	f, err := o.Bytes(ctx, t)
	if err != nil {
		return nil, convert.Report{}, err
	}
	options = o.TextOptions(options, f)
	o.Lines.ask(from, &options)
	if !options.DType.IsValid() {
		options.Fields = o.fields(t, options.Table.Lines)
	}
	options.Memory = textMax
	if SizeOf(f) > 0 {
		options.Memory = keptMax
	}
	r := o.Watch(f, t.Path, SizeOf(f))
	defer r.Close()
	to := &overflow{temporary: o.Temporary}
	report, err := convert.CopyFrom(ctx, to, Until(ctx, r), from, options)
	if err == nil && options.Rows == 0 {
		err = Rest(f, r)
	}
	if err != nil {
		to.Close()
		return nil, report, SpoolError(err)
	}
	a, err := to.array()
	if err != nil {
		return nil, report, err
	}
	o.Lines.keep(report)
	if report.Lines != nil {
		if report.DType, err = WithoutLine(report.DType); err != nil {
			a.Close()
			return nil, report, err
		}
	}
	a, err = a.part(t.Index, nil)
	return a, report, err
}

// TextOptions adds the limits of text, and how tables are read, to options. A file has a known size and needs no limit of bytes.
// Compressed text can have a row that is much longer than the file, and has a lower limit of rows.
func (o Opener) TextOptions(options convert.ReadOptions, f any) convert.ReadOptions {
	options.MaxBytes, options.MaxRow, options.MaxColumns = o.Text.MaxBytes, o.Text.MaxRow, o.Text.MaxColumns
	options.Table, options.Header = o.Text.Table, o.Text.Header
	if options.MaxBytes == 0 && SizeOf(f) > 0 {
		options.MaxBytes = -1
	}
	if s, ok := f.(*stream); ok && s.compressed && options.MaxRow == 0 {
		options.MaxRow = packedRow
	}
	return options
}

// ReadArray reads an array. Like np.load it also reads a pickle without a header: unless its value is an array, the
// value becomes the only element of an array without dimensions.
func ReadArray(f io.Reader, path string, d npy.Decoder) (*npy.Array, error) {
	head, f := Peek(f, 1)
	if !IsPickle(head, path) {
		return d.Read(f)
	}
	if d.Objects == nil {
		return nil, fmt.Errorf("pickle: %w", npy.ErrObjects)
	}
	return d.Objects.DecodeObjects(bufio.NewReader(f), format.Header{})
}

// proto is the first opcode of pickles of protocol 2 and above; the protocol follows.
const proto = 0x80

// Protocol returns the protocol of a pickle by its first two bytes. Protocols 0 and 1 are not marked, and both are 0.
func Protocol(head []byte) int {
	if len(head) < 2 || head[0] != proto {
		return 0
	}
	return int(head[1])
}

// IsPickle reports whether a file is a pickle, by its first byte, which is an opcode, or by its name.
func IsPickle(head []byte, path string) bool {
	return len(head) > 0 && (head[0] == proto || head[0] != format.Magic[0] && IsPickleName(path))
}

// IsPickleName reports whether a file is a pickle by its name.
func IsPickleName(path string) bool {
	ending := strings.ToLower(filepath.Ext(path))
	return ending == ".pkl" || ending == ".pickle"
}
