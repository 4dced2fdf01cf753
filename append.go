package npy

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/internal/filelock"
	"github.com/npygo/npy/internal/plumbing"
	"github.com/npygo/npy/internal/sink"
	"github.com/npygo/npy/internal/source"
)

// An Appender makes the array of a file longer: along the first axis, or the last if the array is in Fortran order.
// It writes the elements after the array first and the shape in the header last. One write changes the header, in the
// space that NumPy leaves for a longer shape. A process that is killed leaves the old length or the new one. With
// [Encoder.Sync], so does a power failure. A kill may divide a write between two pages of memory, and a power failure
// between two sectors of a disk. Where a long dtype pushes the shape across such a border, Append first replaces the
// file, once, by one whose header has the growing number within one sector. Windows does not replace open files;
// there Append writes across the border.
//
// An Appender holds a lock against other Appenders, of this process and others. Readers are not locked out. An
// Appender must be used by one goroutine only.
type Appender struct {
	sync   bool // Encoder.Sync
	file   plumbing.File
	path   string
	header format.Header
	head   []byte // the header as it is in the file
	fitted bool   // head was made by sink.FitHeader
	err    error  // final
}

// OpenAppend opens a file for appending. The caller must close the Appender. A header without space for a longer
// shape, as NumPy before 1.24 and others wrote it, makes OpenAppend write the file anew, once, and rename it to path.
// Windows does not replace open files; there such a header is an error that wraps [errors.ErrUnsupported], and
// [RepairFile] writes a file with enough space.
//
// The first Append cuts off trailing data, which an Append that was killed may leave. Trailing data that is another
// array is an error. So are arrays of Python objects ([ErrObjects]), arrays without dimensions, and files that are
// shorter than the header says (io.ErrUnexpectedEOF).
func OpenAppend(path string) (*Appender, error) { return Encoder{}.OpenAppend(path) }

// OpenAppend is the function [OpenAppend] with e.Sync: each Append then returns when first the elements and then the
// header are on disk.
func (e Encoder) OpenAppend(path string) (*Appender, error) {
	a, err := openAppend(path)
	if err != nil {
		return nil, appendError(path, err)
	}
	a.sync = e.Sync
	return a, nil
}

func openAppend(path string) (*Appender, error) {
	for range 2 { // the second time the header has space
		f, s, err := openLocked(path)
		if err != nil {
			return nil, err
		}
		a := &Appender{file: plumbing.AppendTo(f), path: path, header: s.Header}
		room, err := a.readHead()
		if err == nil && room {
			return a, nil
		}
		if err == nil && runtime.GOOS == "windows" {
			err = errNoRoom
		}
		if err == nil {
			err = rewrite(path, f, s.Header, format.Header.Append)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	return nil, diag.New("npy", "other programs keep replacing the file")
}

// errNoRoom is the error on Windows, where the lock must be released before the file is replaced: elements that
// another Appender adds in between would be lost.
var errNoRoom = diag.Errorf("npy", "the header has no space for a longer shape, and Windows cannot replace an open file; write it again with RepairFile, which leaves space: %w", errors.ErrUnsupported)

// openLocked opens the file at path and locks it.
func openLocked(path string) (*os.File, *source.Source, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	s, err := lockAndRead(path, f)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, s, nil
}

func lockAndRead(path string, f *os.File) (*source.Source, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, diag.Errorf("npy", "only regular files can be appended to: %w", errors.ErrUnsupported)
	}
	if err := filelock.TryLock(f); err != nil {
		return nil, diag.Errorf("npy", "the file is being appended to: %w", err)
	}
	now, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !os.SameFile(info, now) {
		return nil, diag.Errorf("npy", "the file is being replaced: %w", filelock.ErrLocked)
	}
	s, err := source.OpenAt(f, now.Size(), format.Decoder{})
	if err != nil {
		return nil, err
	}
	return s, canAppend(f, s.Header)
}

// canAppend returns an error unless the array can be made longer without loss.
func canAppend(f io.ReaderAt, h format.Header) error {
	if err := noObjects(h.DType, "; ReadFile with Decoder.Objects and WriteFile make a new file"); err != nil {
		return err
	}
	if len(h.Shape) == 0 {
		return diag.New("npy", "an array without dimensions has no axis to append to; reshape it to (1,) first")
	}
	end := h.DataOffset + h.NBytes()
	next := make([]byte, len(format.Magic))
	if n, err := f.ReadAt(next, end); n < len(next) && err != nil && err != io.EOF {
		return err
	}
	if string(next) == format.Magic {
		return diag.Errorf("npy", "appending would overwrite another array, which begins at byte %d; copy the first array to its own file", end)
	}
	return nil
}

// readHead reads the bytes of the header. It reports false if they have no space for a longer shape.
func (a *Appender) readHead() (room bool, err error) {
	a.head = make([]byte, a.header.DataOffset)
	if _, err := a.file.ReadAt(a.head, 0); err != nil {
		return false, err
	}
	fits, err := sink.FitHeader(a.header)
	if a.fitted = err == nil && bytes.Equal(fits, a.head); a.fitted {
		return true, nil
	}
	fits, err = a.header.Append(nil)
	return err == nil && len(fits) == len(a.head), err
}

// rewrite replaces the file by one with the header that makeHead returns for h.
func rewrite(path string, f io.ReaderAt, h format.Header, makeHead func(h format.Header, dst []byte) ([]byte, error)) error {
	at := h.DataOffset
	head, err := makeHead(h, nil)
	if err != nil {
		return err
	}
	return writeParts(path, head, io.NewSectionReader(f, at, h.NBytes()), true)
}

// writeParts writes a new file, or replaces the one at path: the header, then the data.
func writeParts(path string, head []byte, data *io.SectionReader, sync bool) error {
	out, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := out.Reserve(int64(len(head)) + data.Size()); err != nil {
		return err
	}
	if _, err := out.Write(head); err != nil {
		return err
	}
	if n, err := io.Copy(out, data); err != nil {
		return err
	} else if n < data.Size() {
		return diag.Errorf("npy", "the file became shorter while it was read: %w", io.ErrUnexpectedEOF)
	}
	return out.Commit(sync)
}

// Header returns the present header of the array.
func (a *Appender) Header() format.Header {
	h := a.header
	h.Shape = slices.Clone(h.Shape)
	return h
}

// axis returns the axis that grows.
func (a *Appender) axis() int {
	if a.header.FortranOrder {
		return len(a.header.Shape) - 1
	}
	return 0
}

// Append adds b after the array, numpy.concatenate. The shapes of b and of the array must be equal except along the
// axis that grows. The dtype of b may differ if the dtype of the file holds every value of it, as for [Array.AsType].
//
// If the elements cannot be written, because the disk is full for example, the file keeps its old length and the
// Appender can go on. If the header cannot be written, or Sync fails, the error is final.
func (a *Appender) Append(b *Array) error { return appendError(a.path, a.append(b)) }

func (a *Appender) append(b *Array) error {
	if a.err != nil {
		return a.err
	}
	grown, err := a.grown(b)
	if err != nil {
		return err
	}
	if !b.nd.DType.Equal(a.header.DType) {
		if err := fields.CheckNames(b.nd.DType, a.header.DType); err != nil {
			return diag.Wrap("npy", err)
		}
		if b, err = b.AsType(a.header.DType); err != nil {
			return err
		}
	}
	if a.header.FortranOrder {
		b = b.T()
	}
	head, err := a.headFor(&grown)
	if err != nil {
		return err
	}
	if err := a.writeData(b); err != nil {
		return err
	}
	if a.err = a.writeHead(head); a.err == nil {
		a.header, a.head = grown, head
	}
	return a.err
}

// headFor returns the header for a longer shape. The bytes that differ from the present header lie in one sector, or
// page, so that their write cannot be torn. If they do not, headFor replaces the file first, with another header.
func (a *Appender) headFor(grown *format.Header) ([]byte, error) {
	if a.fitted {
		return sink.FitHeader(*grown)
	}
	head, err := grown.Append(nil)
	if err != nil || runtime.GOOS == "windows" {
		return head, err
	}
	unit := sink.PageSize
	if a.sync {
		unit = sink.SectorSize
	}
	if low, high := sink.Changed(a.head, head); low == high || low/unit == (high-1)/unit {
		return head, nil
	}
	if err := a.refit(); err != nil {
		return nil, err
	}
	grown.Version, grown.DataOffset = a.header.Version, a.header.DataOffset
	return sink.FitHeader(*grown)
}

// refit replaces the file by one with a fitted header, and opens the new file.
func (a *Appender) refit() error {
	err := rewrite(a.path, a.file, a.header, func(h format.Header, _ []byte) ([]byte, error) { return sink.FitHeader(h) })
	if err != nil {
		return err
	}
	_ = a.file.Close()
	a.err = a.reopen()
	return a.err
}

// reopen opens the file that has replaced the locked one. Another Appender may have changed the new file first.
func (a *Appender) reopen() error {
	a.file = nil
	f, s, err := openLocked(a.path)
	if err != nil {
		return err
	}
	a.file = plumbing.AppendTo(f)
	if !slices.Equal(s.Header.Shape, a.header.Shape) {
		return errChanged
	}
	a.header = s.Header
	if _, err = a.readHead(); err == nil && !a.fitted {
		return errChanged
	}
	return err
}

var errChanged = diag.New("npy", "the file was changed by another program while it was replaced; open it again")

// grown returns the header of the array with b appended.
func (a *Appender) grown(b *Array) (format.Header, error) {
	h, axis := a.Header(), a.axis()
	same := len(b.nd.Shape) == len(h.Shape)
	for i := range h.Shape {
		same = same && (i == axis || b.nd.Shape[i] == h.Shape[i])
	}
	if !same {
		return h, diag.Errorf("npy", "shape %s cannot be appended to shape %s along axis %d: all other dimensions must be equal",
			format.ShapeString(b.nd.Shape), format.ShapeString(h.Shape), axis)
	}
	if b.nd.Shape[axis] > math.MaxInt-h.Shape[axis] {
		return h, diag.Wrap("npy", bounded.Over("", 0, 0, "%d after %d along axis %d are too many", b.nd.Shape[axis], h.Shape[axis], axis))
	}
	h.Shape[axis] += b.nd.Shape[axis]
	return h, h.Validate()
}

// writeData writes elements after the array. They do not count before the header changes.
func (a *Appender) writeData(b *Array) error {
	end := a.header.DataOffset + a.header.NBytes()
	err := a.file.Truncate(end) // trailing data of an earlier Append
	if err == nil {
		if data, ok := b.ViewBytes(); ok {
			_, err = a.file.WriteAt(data, end)
		} else {
			err = b.writePieces(io.NewOffsetWriter(a.file, end))
		}
	}
	if err == nil && a.sync {
		if err = a.file.Sync(); err != nil {
			a.err = err // how much is on disk is unknown
		}
	}
	if err != nil {
		_ = a.file.Truncate(end) // frees the space on a full disk
	}
	return err
}

// writeHead writes the bytes of the header that change, with a single call. headFor keeps these few bytes in one
// sector.
func (a *Appender) writeHead(head []byte) error {
	low, high := sink.Changed(a.head, head)
	if low == high {
		return nil
	}
	if n, err := a.file.WriteAt(head[low:high], int64(low)); err != nil {
		_, _ = a.file.WriteAt(a.head[low:low+n], int64(low)) // a part of the write would be neither shape
		return err
	}
	if a.sync {
		return a.file.Sync()
	}
	return nil
}

// AppendRows adds data after the array of a: [Appender.Append] for whole rows of T, one after another. In a file in
// Fortran order, one index of the last axis selects a row, with the first index running fastest.
func AppendRows[T Element](a *Appender, data []T) error {
	return appendError(a.path, appendRows(a, data))
}

func appendRows[T Element](a *Appender, data []T) error {
	shape := a.Header().Shape
	if a.header.FortranOrder {
		slices.Reverse(shape)
	}
	rowLen := 1
	for _, n := range shape[1:] {
		rowLen *= n
	}
	if rowLen == 0 || len(data)%rowLen != 0 {
		return diag.Errorf("npy", "%d elements is not a multiple of the row length %d", len(data), rowLen)
	}
	shape[0] = len(data) / rowLen
	var b *Array
	var err error
	if _, ok := encoderFor[T](a.header.DType); ok {
		b, err = FromSliceAs(a.header.DType, data, shape...)
	} else {
		b, err = FromSlice(data, shape...)
	}
	if err != nil {
		return err
	}
	if a.header.FortranOrder {
		b = b.T()
	}
	return a.append(b)
}

// Close closes the file and releases the lock. Closing twice does nothing.
func (a *Appender) Close() error {
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file, a.err = nil, fs.ErrClosed
	return err
}

// appendError adds the name of the file to an error; nil stays nil.
func appendError(path string, err error) error {
	var pe *fs.PathError
	if err == nil || errors.As(err, &pe) {
		return err
	}
	return &fs.PathError{Op: "append", Path: path, Err: err}
}
