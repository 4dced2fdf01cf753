package matlab

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
)

// The types of stored data, miINT8 and so on.
const (
	miInt8       = 1
	miUint8      = 2
	miInt16      = 3
	miUint16     = 4
	miInt32      = 5
	miUint32     = 6
	miSingle     = 7
	miDouble     = 9
	miInt64      = 12
	miUint64     = 13
	miMatrix     = 14
	miCompressed = 15
	miUTF8       = 16
	miUTF16      = 17
	miUTF32      = 18
)

// storedTypes are the dtypes of stored data.
var storedTypes = map[uint32]dtype.Type{
	miInt8: dtype.Int8, miUint8: dtype.Uint8, miInt16: dtype.Int16, miUint16: dtype.Uint16,
	miInt32: dtype.Int32, miUint32: dtype.Uint32, miInt64: dtype.Int64, miUint64: dtype.Uint64,
	miSingle: dtype.Float32, miDouble: dtype.Float64,
	miUTF8: dtype.Uint8, miUTF16: dtype.Uint16, miUTF32: dtype.Uint32,
}

// A space is where elements are: the file, or the contents of a compressed variable.
type space struct {
	r      io.ReaderAt
	heads  io.ReaderAt // the same for tags and small data
	size   int64
	packed int64     // the offset of the compressed variable in the file, or -1
	zlib   *inflated // its contents, or nil
}

// A scanner reads tags and small data of a space, in sequence, through a window.
type scanner struct {
	*space
	order  binary.ByteOrder
	window []byte
	start  int64 // of the window
}

const windowSize = 4096

// bytes returns n bytes at a position. They are valid until the next call.
func (s *scanner) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > s.size-at {
		return nil, s.fail(at, "%d bytes are needed and %d are left: %w", n, max(s.size-at, 0), io.ErrUnexpectedEOF)
	}
	if at >= s.start && at+n <= s.start+int64(len(s.window)) {
		return s.window[at-s.start:][:n], nil
	}
	b, err := bounded.ReadAll(io.NewSectionReader(s.heads, at, s.size-at), int(min(max(n, windowSize), s.size-at)))
	if int64(len(b)) < n {
		var e *Error
		if errors.As(err, &e) {
			return nil, e
		}
		return nil, s.fail(at, "%w", err)
	}
	s.window, s.start = b, at
	return b[:n], nil
}

// fail returns an error at a position of the space.
func (s *space) fail(at int64, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if s.packed >= 0 {
		return &Error{Offset: s.packed, Err: fmt.Errorf("byte %d of the decompressed variable: %w", at, err)}
	}
	return &Error{Offset: at, Err: err}
}

// A tag is the head of a data element.
type tag struct {
	typ  uint32
	n    int64 // bytes of data
	data int64 // where they are
	next int64 // where the next element is
}

// tag reads the tag at a position. The data must end at end or before.
func (s *scanner) tag(at, end int64) (tag, error) {
	b, err := s.bytes(at, 8)
	if err != nil {
		return tag{}, err
	}
	t := tag{typ: s.order.Uint32(b), n: int64(s.order.Uint32(b[4:])), data: at + 8}
	if n := t.typ >> 16; n != 0 { // packed: length, type and up to 4 bytes of data
		if n > 4 {
			return tag{}, s.fail(at, "a packed element of %d bytes, which has room for 4", n)
		}
		return tag{t.typ & 0xffff, int64(n), at + 4, at + 8}, nil
	}
	if t.n > end-t.data {
		return tag{}, s.fail(at, "an element of %d bytes, and %d are left: %w", t.n, max(end-t.data, 0), io.ErrUnexpectedEOF)
	}
	t.next = t.data + t.n
	if t.typ != miCompressed {
		t.next = min(t.data+(t.n+7)&^7, end)
	}
	return t, nil
}

// typed is tag for an element that must have one of some types, and data of at most most bytes.
func (s *scanner) typed(what string, at, end, most int64, types ...uint32) (tag, []byte, error) {
	t, err := s.tag(at, end)
	if err != nil {
		return t, nil, err
	}
	ok := false
	for _, x := range types {
		ok = ok || x == t.typ
	}
	switch {
	case !ok:
		return t, nil, s.fail(at, "%s has data of type %d", what, t.typ)
	case t.n > most:
		return t, nil, s.fail(at, "%s of %d bytes, more than %d", what, t.n, most)
	}
	b, err := s.bytes(t.data, t.n)
	return t, b, err
}
