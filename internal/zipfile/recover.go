package zipfile

import (
	"bytes"
	"io"
	"math"
	"slices"
)

// A Finder finds the members of an archive whose directory is missing or damaged, by their local headers.
type Finder struct {
	r    io.ReaderAt
	size int64

	window []byte // the bytes of the file from start on that are searched
	start  int64
}

// NewFinder returns a Finder for a file of size bytes.
func NewFinder(r io.ReaderAt, size int64) *Finder { return &Finder{r: r, size: size} }

// Next returns the first member whose local header begins at offset from or later, and the offset of its data. It
// returns [io.EOF] if there is none. The entry has the sizes and the checksum of the local header: they are 0 if they
// follow the data, or if the writer ended before it knew them, as [Entry.SizesUnknown] reports. The data may extend
// beyond the end of the file.
func (f *Finder) Next(from int64) (e Entry, data int64, err error) {
	for at := from; ; at++ {
		if at, err = f.search(at); err != nil {
			return Entry{}, 0, err
		}
		if e, data, ok, err := f.parse(at); ok || err != nil {
			return e, data, err
		}
	}
}

// search returns the offset of the next signature of a local header.
func (f *Finder) search(at int64) (int64, error) {
	for at+sizeLocal <= f.size {
		if at < f.start || at+int64(len(signLocal)) > f.start+int64(len(f.window)) {
			if err := f.read(at); err != nil {
				return 0, err
			}
		}
		if i := bytes.Index(f.window[at-f.start:], []byte(signLocal)); i >= 0 {
			return at + int64(i), nil
		}
		at = f.start + int64(len(f.window)-len(signLocal)+1)
	}
	return 0, io.EOF
}

// read moves the window to an offset.
func (f *Finder) read(at int64) error {
	const piece = 64 << 10
	f.start, f.window = at, slices.Grow(f.window[:0], piece)[:min(piece, f.size-at)]
	if n, err := f.r.ReadAt(f.window, at); n < len(f.window) {
		f.window = nil
		return noEOF(err)
	}
	return nil
}

// parse reads the local header at an offset. ok is false if the bytes are no such header.
func (f *Finder) parse(at int64) (e Entry, data int64, ok bool, err error) {
	var head [sizeLocal]byte
	if n, err := f.r.ReadAt(head[:], at); n < len(head) {
		return e, 0, false, noEOF(err)
	}
	name, extra := int(le.Uint16(head[26:])), int(le.Uint16(head[28:]))
	e = Entry{
		NeededVersion: le.Uint16(head[4:]), Flags: le.Uint16(head[6:]), Method: le.Uint16(head[8:]), Time: le.Uint16(head[10:]), Date: le.Uint16(head[12:]),
		CRC32: le.Uint32(head[14:]), CompressedSize: int64(le.Uint32(head[18:])), Size: int64(le.Uint32(head[22:])),
		MadeBy: MadeByUnix, ExternalAttr: OwnerOnly,
	}
	data = at + sizeLocal + int64(name+extra)
	if name == 0 || data > f.size || !isMethod(e.Method) || e.NeededVersion&0xff > highestVersion {
		return e, 0, false, nil
	}
	b := make([]byte, name+extra)
	if n, err := f.r.ReadAt(b, at+sizeLocal); n < len(b) {
		return e, 0, false, noEOF(err)
	}
	e.decodeName(string(b[:name]))
	e.apply64(b[name:], 0)
	if e.CompressedSize > math.MaxInt64-data {
		return e, 0, false, nil
	}
	e.HeaderOffset, e.end = at, data+e.CompressedSize
	switch {
	case e.Flags&(FlagEncrypted|FlagStrongEncryption) != 0:
		e.fail(e.Errorf("it is encrypted"))
	case e.Flags&FlagPatch != 0:
		e.fail(e.Errorf("it is a patch for another file"))
	}
	return e, data, true, nil
}

// highestVersion is the highest version that APPNOTE 4.4.3 has given a feature: 6.3.
const highestVersion = 63

// isMethod reports whether APPNOTE 4.4.5 has a compression method.
func isMethod(m uint16) bool { return m <= 20 || m >= 93 && m <= 99 }

// SizesUnknown reports whether the local header of a member that a [Finder] found lacks its sizes and its checksum.
func (e *Entry) SizesUnknown() bool {
	return e.Flags&FlagDescriptor != 0 || e.CompressedSize == 0 && e.CRC32 == 0
}

// Descriptor reports whether the data descriptor of e is at an offset, and returns its size.
func (e *Entry) Descriptor(file io.ReaderAt, at int64) (size int, ok bool) {
	b := make([]byte, sizeDescriptor)
	n, _ := file.ReadAt(b, at)
	d, ok := e.matchDescriptor(b[:n])
	return len(d), ok
}
