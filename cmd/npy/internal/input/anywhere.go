package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/pickle/audit"
	"github.com/npygo/npy/source"
)

// Streams, compressed files and compressed members of archives can only be read in sequence. Data that a subcommand reads
// in any order, or more than once, is kept: a little in memory, and more in a temporary file.

// wholeMax is the most bytes of an array that are held in memory because they cannot be read at any offset.
const wholeMax = 32 << 20

// textMax is the most bytes of an array from text, or of a file from a stream, that are held in memory. Their number is not known before,
// and a buffer that grows takes several times as much.
const textMax = 8 << 20

// keptMax is the most bytes of the cells of a file of text that are held in memory, so that it is not read twice.
const keptMax = 64 << 20

// packedRow is the longest row of compressed text, in bytes.
const packedRow = 8 << 20

// keepBlock is the number of bytes that are copied to a temporary file at a time.
const keepBlock = 4 << 20

// alsoClose makes Close call done after everything else.
func (a *Array) alsoClose(done func()) {
	before := a.close
	a.close = func() {
		if before != nil {
			before()
		}
		done()
	}
}

// sourceOfMember is sourceOf for an array of a container.
func (o Opener) sourceOfMember(ctx context.Context, t Target, choose Choice) (*Array, error) {
	index := t.Index
	if t.Container.NPZ() != nil {
		t.Index = nil
	}
	src, err := o.Entry(t)
	if err != nil {
		return nil, diagnose.Explain(err)
	}
	a := &Array{Source: src, Header: npy.HeaderOf(src)}
	if t.Container.NPZ() == nil {
		if source.IsSequential(src) {
			a = o.reorder(a)
		}
		return a.choose(choose)
	}
	return o.anywhere(ctx, a, source.IsSequential(src), index, choose)
}

// compressed returns the entry of a target that is a compressed member of an archive.
func (t Target) compressed() (e npz.Entry, ok bool) {
	z := t.Container.NPZ()
	if z == nil {
		return e, false
	}
	e, _ = z.Entry(t.Member)
	return e, e.Method != npz.Store
}

// Packed returns d with the limits for compressed data, if the file of an open target or the member is.
func (t Target) Packed(d npy.ObjectDecoder) npy.ObjectDecoder {
	packed, ok := d.(npy.CompressedDecoder)
	if read := t.compressedBytes(); ok && read != nil {
		return packed.OfCompressed(read)
	}
	return d
}

// Auditor returns an auditor for the pickles of an open target, with the limits for compressed data.
func (t Target) Auditor(l limits.Limits) audit.Auditor {
	return audit.Auditor{MaxNodes: int(l["MaxNodes"]), Compressed: t.compressedBytes()}
}

// compressedBytes returns a function that returns how many compressed bytes an open target is, as far as they have been read. It
// is nil if neither the file nor the member is compressed.
func (t Target) compressedBytes() func() int64 {
	d := t.decompressor()
	if t.Container != nil {
		if e, ok := t.compressed(); ok && d != nil {
			return func() int64 { return min(e.CompressedSize, d.in.n.Load()) }
		} else if ok {
			return func() int64 { return e.CompressedSize }
		}
	}
	if d == nil {
		return nil
	}
	return d.in.n.Load
}

// decompressor returns the decompressor of the whole file of an open target, or nil.
func (t Target) decompressor() *decompressor {
	switch {
	case t.Container != nil:
		return t.Container.from
	case t.file != nil:
		return t.file.compressed
	}
	return nil
}

// anywhere returns an array, or the part of it that index and choose select, for reads in any order. inSequence says that
// a is read in sequence until then.
func (o Opener) anywhere(ctx context.Context, a *Array, inSequence bool, index []npy.Index, choose Choice) (*Array, error) {
	if a.nbytes() <= wholeMax || a.DType().HasObject() {
		array, err := a.ReadAll(ctx)
		if err != nil {
			return nil, diagnose.Explain(err)
		}
		a.Source, inSequence = array, false
	}
	whole := a.Source
	a, err := a.part(index, choose)
	if err != nil || !inSequence {
		return a, err
	}
	if _, err := npy.SelectionOf(npy.HeaderOf(whole), index...); err == nil && a.nbytes() <= wholeMax { // else it has a list
		array, err := a.ReadAll(ctx)
		a.Source = array
		return a, diagnose.Explain(err)
	}
	kept, err := o.keep(ctx, whole)
	if err != nil {
		return nil, diagnose.Explain(err)
	}
	kept.Header = a.Header
	return kept.part(index, choose)
}

// part replaces an array by the part that index and choose select.
func (a *Array) part(index []npy.Index, choose Choice) (*Array, error) {
	if index != nil {
		src, err := a.Source.Select(index...)
		if err != nil {
			a.Close()
			return nil, diagnose.Explain(err)
		}
		a.Source = src
	}
	return a.choose(choose)
}

// nbytes returns the number of bytes of the elements.
func (a *Array) nbytes() int64 {
	h := npy.HeaderOf(a.Source)
	return h.NBytes()
}

// keep copies the elements of an array to a temporary file, in the order in which they are stored.
func (o Opener) keep(ctx context.Context, src npy.Source) (*Array, error) {
	f, remove, err := Spool(o.Temporary)
	if err != nil {
		return nil, err
	}
	h := npy.HeaderOf(src)
	h.DataOffset = 0
	err = SpoolError(copyElements(ctx, f, src))
	var kept *npy.File
	if err == nil {
		kept, err = npy.FileOf(h, f, SizeOf(f))
	}
	if err != nil {
		remove()
		return nil, err
	}
	return &Array{Source: kept, Header: npy.HeaderOf(src), close: remove}, nil
}

// copyElements writes the elements of an array in the order in which they are stored.
func copyElements(ctx context.Context, w io.Writer, src npy.Source) error {
	stored, _ := npy.StoredOrder(src)
	for block, err := range stored.Blocks(ctx, keepBlock) {
		if err != nil {
			return err
		}
		data, ok := block.ViewBytes()
		if !ok {
			return errors.New("a block is not in C order")
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return nil
}

// An overflow is an .npy file that is written in memory, and in a temporary file if it is long.
type overflow struct {
	temporary func(remove func()) (done func()) // as in an Opener
	held      []byte
	file      *os.File
	remove    func() // of file
	at        int64
}

// Write implements io.Writer.
func (w *overflow) Write(p []byte) (int, error) {
	if w.file == nil && w.at+int64(len(p)) > textMax {
		if err := w.toFile(); err != nil {
			return 0, err
		}
	}
	if w.file != nil {
		return w.file.Write(p)
	}
	n := copy(w.held[w.at:], p)
	w.grow(len(p) - n)
	w.held = append(w.held, p[n:]...)
	w.at += int64(len(p))
	return len(p), nil
}

// grow makes place for n more bytes. The buffer grows fourfold, so that all buffers take little more than the last.
func (w *overflow) grow(n int) {
	if need := len(w.held) + n; need > cap(w.held) {
		held := make([]byte, len(w.held), max(need, min(4*cap(w.held), textMax)))
		copy(held, w.held)
		w.held = held
	}
}

// toFile moves the data written so far to a temporary file.
func (w *overflow) toFile() (err error) {
	if w.file, w.remove, err = Spool(w.temporary); err != nil {
		return err
	}
	_, err = w.file.Write(w.held)
	w.held = nil
	return err
}

// Seek implements io.Seeker, within the data written so far.
func (w *overflow) Seek(offset int64, whence int) (int64, error) {
	if w.file != nil {
		return w.file.Seek(offset, whence)
	}
	switch whence {
	case io.SeekCurrent:
		offset += w.at
	case io.SeekEnd:
		offset += int64(len(w.held))
	}
	if offset < 0 || offset > int64(len(w.held)) {
		return w.at, fmt.Errorf("seek to byte %d of %d", offset, len(w.held))
	}
	w.at = offset
	return w.at, nil
}

// ReadAt implements io.ReaderAt.
func (w *overflow) ReadAt(p []byte, off int64) (int, error) {
	if w.file != nil {
		return w.file.ReadAt(p, off)
	}
	return bytes.NewReader(w.held).ReadAt(p, off)
}

// size returns the number of bytes written, if the last was written at the end.
func (w *overflow) size() int64 {
	if w.file != nil {
		return SizeOf(w.file)
	}
	return int64(len(w.held))
}

// KeepBytes reads r to its end and closes it: textMax bytes into memory, and more into a temporary file. done removes that.
func (o Opener) KeepBytes(ctx context.Context, r io.ReadCloser) (kept io.ReaderAt, size int64, done func(), err error) {
	defer r.Close()
	to := &overflow{temporary: o.Temporary}
	if _, err := io.Copy(to, Until(ctx, r)); err != nil {
		to.Close()
		return nil, 0, nil, SpoolError(err)
	}
	return to, to.size(), to.Close, nil
}

// Close removes the temporary file.
func (w *overflow) Close() {
	if w.remove != nil {
		w.remove()
	}
}

// array returns the array of the file. Closing it removes the temporary file.
func (w *overflow) array() (*Array, error) {
	if w.file == nil {
		return inMemory(npy.Read(bytes.NewReader(w.held)))
	}
	kept, err := npy.Decoder{MaxHeader: -1}.OpenReaderAt(w.file, SizeOf(w.file))
	if err != nil {
		w.Close()
		return nil, err
	}
	return &Array{Source: kept, Header: npy.HeaderOf(kept), close: w.Close}, nil
}
