package zipfile

import (
	"fmt"
	"io"
	"math"
	"os"
	"unicode/utf8"

	"github.com/npygo/npy/internal/diag"
)

const (
	extraUnicodePath = 0x7075   // the name in UTF-8, an extra field of Info-ZIP
	copyAtOnce       = 64 << 10 // members of up to this size are read with one call
	sizeDescriptor   = 24       // at most
)

// Rename changes the name of e, in the local header and in the directory.
func (e *Entry) Rename(name string) {
	e.Name = name
	e.Flags &^= FlagUTF8
	if !IsASCII(name) {
		e.Flags |= FlagUTF8
	}
	extra := withoutExtra(e.Extra(), extraUnicodePath)
	e.rare = e.rare.with(func(r *rare) { r.rawName, r.extra = nil, extra })
	e.renamed = true
}

// IsASCII reports whether a name is ASCII, so that it needs no UTF-8 flag.
func IsASCII(name string) bool {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Copy copies a member of another archive unchanged, compressed or encrypted as it is: its data, its local header and,
// if it has one, its data descriptor. old is the member's entry in the directory of src. e is old, or a copy of old
// with another name. If src is an [os.File], its read position is moved. Aligned stored data stays aligned, to at least
// align.
func (w *Writer) Copy(e, old Entry, src io.ReaderAt, align int) error {
	if w.err != nil {
		return w.err
	}
	m, err := openMember(old, src)
	if err != nil {
		return err
	}
	e.HeaderOffset = w.offset
	if err := w.write(m.header(&e, align)); err != nil {
		return err
	}
	if err := w.body(m.copyTo); err != nil {
		return err
	}
	w.entries = append(w.entries, e)
	return nil
}

// A rawMember is a member as it is stored in a file.
type rawMember struct {
	file       io.ReaderAt
	start      []byte // the bytes from its header on, as far as they are read
	extra      []byte // of its local header
	data       int64  // the position of its data in start
	offset     int64  // the position of its data in the file
	size       int64  // of its data
	descriptor []byte // the data descriptor
}

// openMember reads a member at least up to its data.
func openMember(e Entry, file io.ReaderAt) (*rawMember, error) {
	room := e.end - e.HeaderOffset
	m := &rawMember{file: file, offset: e.HeaderOffset, size: e.CompressedSize}
	if room < int64(e.LocalSize()) {
		return nil, e.Errorf("its header is cut short")
	}
	m.start = make([]byte, min(room, int64(max(copyAtOnce, e.LocalSize()))))
	if err := m.readAt(m.start, 0); err != nil {
		return nil, err
	}
	head := int64(sizeLocal) + int64(le.Uint16(m.start[26:])) + int64(le.Uint16(m.start[28:]))
	if n := int64(len(m.start)); head > n && head <= room { // extra fields are long
		m.start = append(m.start, make([]byte, head-n)...)
		if err := m.readAt(m.start[n:], n); err != nil {
			return nil, err
		}
	}
	data, err := e.DataOffset(m.start)
	if err != nil {
		return nil, err
	}
	m.data = data - e.HeaderOffset
	m.extra = m.start[e.LocalSize():m.data]
	if e.Flags&FlagDescriptor != 0 {
		b := make([]byte, min(e.end-data-m.size, sizeDescriptor))
		if err := m.readAt(b, m.data+m.size); err != nil {
			return nil, err
		}
		m.descriptor = e.findDescriptor(b)
	}
	return m, nil
}

// readAt reads at an offset from the start of the header.
func (m *rawMember) readAt(b []byte, at int64) error {
	if n, err := m.file.ReadAt(b, m.offset+at); n < len(b) {
		return diag.Errorf("npz", "reading the old archive at byte %d: %w", m.offset+at, noEOF(err))
	}
	return nil
}

// header returns the local header for e, with the offset of e in the new file.
func (m *rawMember) header(e *Entry, align int) []byte {
	extra := m.extra
	if e.renamed {
		extra = withoutExtra(extra, extraUnicodePath)
	}
	if e.Method == Store {
		align = max(align, alignmentOf(extra))
		extra = withoutExtra(extra, ExtraAlign)
		padded := appendPadding(extra, e.HeaderOffset+sizeLocal+int64(len(e.RawName())+len(extra)), align)
		if len(padded) <= math.MaxUint16 {
			extra = padded
		}
	}
	flags := le.Uint16(m.start[6:])
	if e.renamed {
		flags = flags&^FlagUTF8 | e.Flags&FlagUTF8
	}
	b := append([]byte{}, m.start[:6]...)
	b = le.AppendUint16(b, flags)
	b = append(b, m.start[8:26]...)
	b = le.AppendUint16(b, uint16(len(e.RawName())))
	b = le.AppendUint16(b, uint16(len(extra)))
	b = append(b, e.RawName()...)
	return append(b, extra...)
}

// alignmentOf returns the alignment that the padding field states, 1 if there is none.
func alignmentOf(extra []byte) int {
	data, _ := FindExtra(extra, ExtraAlign)
	if len(data) < 2 {
		return 1
	}
	if n := int(le.Uint16(data)); n > 0 && n <= MaxAlign && n&(n-1) == 0 {
		return n
	}
	return 1
}

// copyTo writes the data and the data descriptor.
func (m *rawMember) copyTo(w io.Writer) error {
	here := m.start[m.data:]
	here = here[:min(int64(len(here)), m.size)]
	if _, err := w.Write(here); err != nil {
		return err
	}
	if done := int64(len(here)); done < m.size {
		r, err := m.from(m.offset + m.data + done)
		if err != nil {
			return err
		}
		if n, err := io.CopyN(w, r, m.size-done); err != nil {
			return fmt.Errorf("copying %d bytes, failed after %d: %w", m.size, done+n, noEOF(err))
		}
	}
	_, err := w.Write(m.descriptor)
	return err
}

// from returns a reader of the file from offset on. If it can, it returns the file itself, so that the kernel can copy.
func (m *rawMember) from(offset int64) (io.Reader, error) {
	f, ok := m.file.(*os.File)
	if !ok {
		return io.NewSectionReader(m.file, offset, math.MaxInt64-offset), nil
	}
	_, err := f.Seek(offset, io.SeekStart)
	return f, err
}

// MemberEnd returns the offset in the file at which a member ends: its header, data and data descriptor.
func (e *Entry) MemberEnd(file io.ReaderAt) (int64, error) {
	local := make([]byte, e.LocalSize())
	if n, err := file.ReadAt(local, e.HeaderOffset); n < len(local) {
		return 0, diag.Errorf("npz", "reading the archive at byte %d: %w", e.HeaderOffset, noEOF(err))
	}
	data, err := e.DataOffset(local)
	if err != nil {
		return 0, err
	}
	end := data + e.CompressedSize
	if e.Flags&FlagDescriptor == 0 {
		return end, nil
	}
	b := make([]byte, min(e.end-end, sizeDescriptor))
	if n, err := file.ReadAt(b, end); n < len(b) {
		return 0, diag.Errorf("npz", "reading the archive at byte %d: %w", end, noEOF(err))
	}
	d, _ := e.matchDescriptor(b)
	return end + int64(len(d)), nil
}

// findDescriptor returns the data descriptor of e at the start of b. If there is none it makes one.
func (e *Entry) findDescriptor(b []byte) []byte {
	if d, ok := e.matchDescriptor(b); ok {
		return d
	}
	return e.appendDescriptor(nil)
}

// matchDescriptor returns the data descriptor of e at the start of b. A descriptor may lack the signature, and its
// sizes may have 32 or 64 bits; the form that agrees with the directory is the right one.
func (e *Entry) matchDescriptor(b []byte) ([]byte, bool) {
	long := e.appendDescriptor(nil)
	short := append([]byte{}, long[:8]...)
	short = le.AppendUint32(short, uint32(e.CompressedSize))
	short = le.AppendUint32(short, uint32(e.Size))
	for _, d := range [][]byte{long, short, long[4:], short[4:]} {
		if len(b) >= len(d) && string(b[:len(d)]) == string(d) {
			return d, true
		}
	}
	return nil, false
}
