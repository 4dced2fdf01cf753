package zipfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Versions and attributes of the members that this package writes: the values of CPython 3.12 and later on Unix.
const (
	MadeByUnix   = 3<<8 | 45
	NeedsZip64   = 45
	NeedsZstd    = 63
	OwnerOnly    = 0o600 << 16 // permissions, for ExternalAttr
	January1980  = 1<<5 | 1    // the date that NumPy gives every member
	MaxAlign     = 1 << 15
	MaxName      = math.MaxUint16
	limit32      = math.MaxInt32 // CPython uses 64 bits from 2 GiB on
	limitEntries = math.MaxUint16

	signDescriptor = "PK\x07\x08" // sizes and CRC after the data, APPNOTE 4.3.9
	sizeZip64      = 20           // of the extra field with two sizes
)

// A Writer writes an archive sequentially, as CPython's zipfile does for NumPy: the sizes in every local header have 64
// bits. After an error of the underlying writer every call returns that error.
type Writer struct {
	w       *bufio.Writer
	at      io.WriterAt
	offset  int64 // of the next byte
	entries []Entry
	err     error
}

// NewWriter returns a Writer to w. at may be nil. If it is not, it must write to the same file at any offset: the
// Writer then corrects the local header of a member whose sizes are known only at the end. Otherwise a data descriptor
// follows such a member.
func NewWriter(w io.Writer, at io.WriterAt) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 64<<10), at: at}
}

// Corrects reports whether the Writer can correct headers, so that no member needs a data descriptor.
func (w *Writer) Corrects() bool { return w.at != nil }

// Offset returns the number of bytes written.
func (w *Writer) Offset() int64 { return w.offset }

// CopyFront copies the bytes before the first member of another archive, such as a self-extracting program. Members
// that are no longer in the directory of the archive are not copied.
func (w *Writer) CopyFront(d *Directory, src io.ReaderAt) error {
	front := d.Offset
	for i := range d.Entries {
		front = min(front, d.Entries[i].HeaderOffset)
	}
	magic := make([]byte, len(signLocal))
	if _, err := src.ReadAt(magic, 0); err != nil && err != io.EOF {
		return err
	}
	if string(magic) == signLocal {
		return nil
	}
	return w.body(func(out io.Writer) error {
		_, err := io.Copy(out, io.NewSectionReader(src, 0, front))
		return err
	})
}

// Add writes a member. e holds everything except the offset. body must write the CompressedSize bytes of the member's
// data. The data begins at a multiple of align; 0 means at any offset.
func (w *Writer) Add(e Entry, align int, body func(io.Writer) error) error {
	if err := w.begin(&e, align); err != nil {
		return err
	}
	start := w.offset
	if err := w.body(body); err != nil {
		return err
	}
	if n := w.offset - start; n != e.CompressedSize {
		return w.fail(fmt.Errorf("member %q: %d bytes were written, but its header says %d", e.Name, n, e.CompressedSize))
	}
	w.entries = append(w.entries, e)
	return nil
}

// Stream is Add for a member of unknown size. body writes its data and sets CRC32, Size and Extra of the entry.
func (w *Writer) Stream(e Entry, align int, body func(io.Writer, *Entry) error) error {
	if !w.Corrects() {
		e.Flags |= FlagDescriptor
	}
	if err := w.begin(&e, align); err != nil {
		return err
	}
	start := w.offset
	if err := w.body(func(out io.Writer) error { return body(out, &e) }); err != nil {
		return err
	}
	e.CompressedSize = w.offset - start
	w.entries = append(w.entries, e)
	if !w.Corrects() {
		return w.write(e.appendDescriptor(nil))
	}
	return w.correct(&e, align)
}

// body calls f with a writer to the archive. An error or a panic of f leaves an incomplete member: the error is kept
// for all later calls.
func (w *Writer) body(f func(io.Writer) error) error {
	returned := false
	defer func() {
		if !returned {
			_ = w.fail(errHalf)
		}
	}()
	err := f(data{w})
	returned = true
	if err != nil {
		return w.fail(err)
	}
	return w.err
}

var errHalf = errors.New("an earlier member was not completed")

// begin writes the local header.
func (w *Writer) begin(e *Entry, align int) error {
	switch {
	case w.err != nil:
		return w.err
	case len(e.RawName()) > MaxName:
		return fmt.Errorf("the name of a member has %d bytes, at most %d are possible in a zip archive", len(e.RawName()), MaxName)
	}
	e.HeaderOffset = w.offset
	return w.write(e.appendLocal(nil, appendPadding(e.appendZip64Sizes(nil), e.dataOffset(), align)))
}

// correct writes the sizes, which are now known, into the local header of e.
func (w *Writer) correct(e *Entry, align int) error {
	if err := w.w.Flush(); err != nil {
		return w.fail(err)
	}
	head := e.appendLocal(nil, appendPadding(e.appendZip64Sizes(nil), e.dataOffset(), align))
	if _, err := w.at.WriteAt(head, e.HeaderOffset); err != nil {
		return w.fail(err)
	}
	return nil
}

// dataOffset returns the offset of the data of e if the sizes are its only extra field.
func (e *Entry) dataOffset() int64 {
	return e.HeaderOffset + sizeLocal + int64(len(e.RawName())) + sizeZip64
}

// Close writes the directory and the comment of the archive. It does not close the underlying writer.
func (w *Writer) Close(comment string) error {
	if w.err != nil {
		return w.err
	}
	start := w.offset
	for i := range w.entries {
		if err := w.write(w.entries[i].appendCentral(nil)); err != nil {
			return err
		}
	}
	if err := w.write(appendEnd(nil, len(w.entries), start, w.offset-start, comment)); err != nil {
		return err
	}
	if err := w.w.Flush(); err != nil {
		return w.fail(err)
	}
	w.err = errors.New("the archive is closed")
	return nil
}

func (w *Writer) write(p []byte) error {
	n, err := w.w.Write(p)
	w.offset += int64(n)
	if err != nil {
		return w.fail(err)
	}
	return nil
}

func (w *Writer) fail(err error) error {
	if w.err == nil {
		w.err = err
	}
	return w.err
}

// A data is the writer that bodies write to.
type data struct{ w *Writer }

func (d data) Write(p []byte) (int, error) {
	n, err := d.w.w.Write(p)
	d.w.offset += int64(n)
	return n, err
}

// ReadFrom lets io.Copy copy from file to file in the kernel.
func (d data) ReadFrom(r io.Reader) (int64, error) {
	if err := d.w.w.Flush(); err != nil {
		return 0, err
	}
	n, err := d.w.w.ReadFrom(r)
	d.w.offset += n
	return n, err
}

var le = binary.LittleEndian

// appendLocal appends the local header of e. Its 32-bit sizes refer to the extra field.
func (e *Entry) appendLocal(b, extra []byte) []byte {
	crc := e.CRC32
	if e.Flags&FlagDescriptor != 0 {
		crc = 0
	}
	b = append(b, signLocal...)
	b = le.AppendUint16(b, e.NeededVersion)
	b = e.appendCommon(b, crc, math.MaxUint32, math.MaxUint32)
	b = le.AppendUint16(b, uint16(len(extra)))
	b = append(b, e.RawName()...)
	return append(b, extra...)
}

// appendCommon appends the fields that the local header and the directory share.
func (e *Entry) appendCommon(b []byte, crc, csize, size uint32) []byte {
	b = le.AppendUint16(b, e.Flags)
	b = le.AppendUint16(b, e.Method)
	b = le.AppendUint16(b, e.Time)
	b = le.AppendUint16(b, e.Date)
	b = le.AppendUint32(b, crc)
	b = le.AppendUint32(b, csize)
	b = le.AppendUint32(b, size)
	return le.AppendUint16(b, uint16(len(e.RawName())))
}

// appendZip64Sizes appends the extra field of the local header with the sizes. They are zero if a descriptor follows.
func (e *Entry) appendZip64Sizes(b []byte) []byte {
	size, csize := e.Size, e.CompressedSize
	if e.Flags&FlagDescriptor != 0 {
		size, csize = 0, 0
	}
	return appendZip64(b, size, csize)
}

func appendZip64(b []byte, values ...int64) []byte {
	b = le.AppendUint16(b, ExtraZip64)
	b = le.AppendUint16(b, uint16(8*len(values)))
	for _, v := range values {
		b = le.AppendUint64(b, uint64(v))
	}
	return b
}

// appendPadding appends the extra field that moves the data from start to a multiple of align. The field has at least 6
// bytes.
func appendPadding(b []byte, start int64, align int) []byte {
	if align <= 1 || start%int64(align) == 0 {
		return b
	}
	n := align - int(start%int64(align))
	for n < 6 {
		n += align
	}
	b = le.AppendUint16(b, ExtraAlign)
	b = le.AppendUint16(b, uint16(n-4))
	b = le.AppendUint16(b, uint16(align))
	return append(b, make([]byte, n-6)...)
}

func (e *Entry) appendDescriptor(b []byte) []byte {
	b = append(b, signDescriptor...)
	b = le.AppendUint32(b, e.CRC32)
	b = le.AppendUint64(b, uint64(e.CompressedSize))
	return le.AppendUint64(b, uint64(e.Size))
}

// appendCentral appends the entry of e in the directory.
func (e *Entry) appendCentral(b []byte) []byte {
	size, csize, offset := e.Size, e.CompressedSize, e.HeaderOffset
	var big []int64
	if size > limit32 || csize > limit32 {
		big = append(big, size, csize)
		size, csize = math.MaxUint32, math.MaxUint32
	}
	if offset > limit32 {
		big = append(big, offset)
		offset = math.MaxUint32
	}
	extra := withoutExtra(e.Extra(), ExtraZip64)
	needed := e.NeededVersion
	if big != nil {
		extra = append(appendZip64(nil, big...), extra...)
		needed = max(needed, NeedsZip64)
	}
	b = append(b, signEntry...)
	b = le.AppendUint16(b, e.MadeBy)
	b = le.AppendUint16(b, needed)
	b = e.appendCommon(b, e.CRC32, uint32(csize), uint32(size))
	b = le.AppendUint16(b, uint16(len(extra)))
	b = le.AppendUint16(b, uint16(len(e.Comment())))
	b = le.AppendUint16(b, 0) // the disk
	b = le.AppendUint16(b, e.InternalAttr)
	b = le.AppendUint32(b, e.ExternalAttr)
	b = le.AppendUint32(b, uint32(offset))
	b = append(b, e.RawName()...)
	b = append(b, extra...)
	return append(b, e.Comment()...)
}

// withoutExtra returns the extra fields without the fields of a kind. Malformed bytes at the end are kept.
func withoutExtra(extra []byte, kind uint16) []byte {
	var kept []byte
	for len(extra) >= 4 {
		n := 4 + int(le.Uint16(extra[2:]))
		if n > len(extra) {
			break
		}
		if le.Uint16(extra) != kind {
			kept = append(kept, extra[:n]...)
		}
		extra = extra[n:]
	}
	return append(kept, extra...)
}

// appendEnd appends the records after the directory, which has n entries and begins at start.
func appendEnd(b []byte, n int, start, size int64, comment string) []byte {
	if n > limitEntries || start > limit32 || size > limit32 {
		b = append(b, signEnd64...)
		b = le.AppendUint64(b, sizeEnd64-12) // the size of the rest of the record
		b = le.AppendUint16(b, NeedsZip64)   // made by
		b = le.AppendUint16(b, NeedsZip64)
		b = append(b, make([]byte, 8)...) // disks
		b = le.AppendUint64(b, uint64(n))
		b = le.AppendUint64(b, uint64(n))
		b = le.AppendUint64(b, uint64(size))
		b = le.AppendUint64(b, uint64(start))
		b = append(b, signLocator64...)
		b = le.AppendUint32(b, 0) // disk
		b = le.AppendUint64(b, uint64(start+size))
		b = le.AppendUint32(b, 1) // disks
	}
	b = append(b, signEnd...)
	b = le.AppendUint32(b, 0) // disks
	b = le.AppendUint16(b, uint16(min(n, limitEntries)))
	b = le.AppendUint16(b, uint16(min(n, limitEntries)))
	b = le.AppendUint32(b, uint32(min(size, math.MaxUint32)))
	b = le.AppendUint32(b, uint32(min(start, math.MaxUint32)))
	b = le.AppendUint16(b, uint16(len(comment)))
	return append(b, comment...)
}
