package npz

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/inflate"
	"github.com/npygo/npy/internal/lastname"
	"github.com/npygo/npy/internal/zipfile"
)

// A Reader reads the arrays of an archive. Opening reads only the directory. Members are read on demand and not
// cached: asking again reads again. A Reader may be used by several goroutines.
type Reader struct {
	dec    Decoder
	r      *closable.ReaderAt
	size   int64
	dir    *zipfile.Directory
	window window

	lookupOnce sync.Once
	lookup     *lastname.Index // of the names

	sortedOnce sync.Once
	sorted     []*zipfile.Entry // by name, for fs.FS

	indices   sync.Map   // of []seekPoint by *zipfile.Entry
	indexFile sync.Once  // reads Decoder.IndexFile
	saving    sync.Mutex // held while the index file is written

	header    atomic.Pointer[parsedHeader]
	inflaters sync.Pool              // of *inflate.Decoder
	idle      atomic.Pointer[cursor] // of the last read of a Source
}

// Open opens an archive. The file stays open until [Reader.Close].
func Open(path string) (*Reader, error) { return Decoder{}.Open(path) }

// NewReader reads the directory of an archive of size bytes. It accepts the archives that NumPy and Python's zipfile
// accept, including archives with other data before them.
func NewReader(r io.ReaderAt, size int64) (*Reader, error) { return Decoder{}.NewReader(r, size) }

// Close closes the file if [Open] opened it. Closing again does nothing. Arrays that were read, and mappings of
// [Reader.Map], stay valid. The directory remains readable. Reading a member, also one that is partly read, fails
// with an error that wraps fs.ErrClosed.
func (z *Reader) Close() error {
	err := z.r.Close()
	z.keepCursor(nil)
	return err
}

// suffix ends the names of arrays in the archive, but not in NumPy.
const suffix = ".npy"

// Len returns the number of members.
func (z *Reader) Len() int { return len(z.dir.Entries) }

// Names returns the names of the members in the order of the archive, NpzFile.files: without the ending .npy. They
// include members that are not arrays. A name that occurs twice is listed twice.
func (z *Reader) Names() []string {
	names := make([]string, len(z.dir.Entries))
	for i := range names {
		names[i] = strings.TrimSuffix(z.dir.Entries[i].Name, suffix)
	}
	return names
}

// Has reports whether there is a member of a name, with or without .npy: key in NpzFile.
func (z *Reader) Has(name string) bool { return z.lookUp(name) != nil }

// Entry returns the directory's entry of the member that a name means, and false if there is none.
func (z *Reader) Entry(name string) (Entry, bool) {
	e := z.lookUp(name)
	if e == nil {
		return Entry{}, false
	}
	return entryOf(e), true
}

// find returns the member that a name means, or an error that lists some existing names.
func (z *Reader) find(name string) (*zipfile.Entry, error) {
	if e := z.lookUp(name); e != nil {
		return e, nil
	}
	return nil, z.errMissing(name)
}

// lookUp returns the member that NumPy means by a name: the member of exactly this name, or else the member with .npy
// appended. Of several members with the same name it is the last. It returns nil if there is none.
func (z *Reader) lookUp(name string) *zipfile.Entry {
	z.lookupOnce.Do(func() {
		z.lookup = lastname.Of(len(z.dir.Entries), func(i int) string { return z.dir.Entries[i].Name })
	})
	i, ok := z.lookup.Find(name)
	if !ok {
		i, ok = z.lookup.Find(name + suffix)
	}
	if !ok {
		return nil
	}
	return &z.dir.Entries[i]
}

// Array reads one array, in the byte order and memory order of the archive, NpzFile[name]. Its elements are in new
// memory. A member that is not an array is an error that wraps [format.ErrMagic]; [Reader.Bytes] reads it. Array cannot be
// cancelled: the Source of [Reader.Source] can.
func (z *Reader) Array(name string) (*npy.Array, error) {
	e, err := z.find(name)
	if err != nil {
		return nil, err
	}
	return z.array(context.Background(), e, &z.window)
}

// Bytes reads the contents of a member of any kind. For an array they are the bytes of its .npy file. It cannot be cancelled:
// [Reader.OpenMember] reads in pieces.
func (z *Reader) Bytes(name string) ([]byte, error) {
	e, err := z.find(name)
	if err != nil {
		return nil, err
	}
	return z.bytes(context.Background(), e, &z.window)
}

// Load reads the elements of an array in C order, and its shape, as [npy.Load] does from a file. T must hold every
// value of the dtype exactly, otherwise the error wraps a [*npy.TypeError].
func Load[T npy.Element](z *Reader, name string) (data []T, shape []int, err error) {
	e, err := z.find(name)
	if err != nil {
		return nil, nil, err
	}
	a, err := z.array(context.Background(), e, &z.window)
	if err != nil {
		return nil, nil, err
	}
	v, err := npy.Loader[T](z.dec.Array).As(a)
	if err != nil {
		return nil, nil, about(e, err)
	}
	if data, ok := v.ViewSlice(); ok {
		return data, v.Shape(), nil
	}
	return v.ToSlice(), v.Shape(), nil
}

// array reads a member that is an array.
func (z *Reader) array(ctx context.Context, e *zipfile.Entry, w *window) (*npy.Array, error) {
	if e.Size > longPickle && e.Size/packedPickle > e.CompressedSize {
		if _, h, err := z.readHeader(e, false); err == nil && h.DType.HasObject() {
			return z.objects(e)
		}
	}
	data, err := z.bytes(ctx, e, w)
	if err != nil {
		return nil, err
	}
	return z.arrayOf(e, data)
}

// arrayOf returns an Array in the memory of a member's contents.
func (z *Reader) arrayOf(e *zipfile.Entry, data []byte) (*npy.Array, error) {
	h, err := z.parseHeader(data)
	if err != nil {
		return nil, about(e, err)
	}
	if h.DType.HasObject() { // objects are a pickle, read by the Decoder
		a, err := z.arraysOf(e).Read(bytes.NewReader(data))
		if err != nil {
			return nil, about(e, err)
		}
		return a, nil
	}
	if err := z.dec.checkBytes(h.NBytes()); err != nil {
		return nil, about(e, err)
	}
	a, err := npy.FromHeader(h, data[h.DataOffset:])
	if err != nil {
		return nil, about(e, err)
	}
	return a, nil
}

// Objects that take more than longPickle bytes and are smaller by more than packedPickle when compressed are few objects for their
// bytes, or refused. They are decoded as they are decompressed.
const (
	longPickle   = 16 << 20
	packedPickle = 64
)

// objects reads a member that is an array of objects, without holding its contents.
func (z *Reader) objects(e *zipfile.Entry) (*npy.Array, error) {
	r, err := z.openEntry(e)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a, err := z.arraysOf(e).Read(r)
	if err != nil {
		return nil, about(e, err)
	}
	_, err = io.Copy(io.Discard, r) // the checksum is at the end
	return a, err
}

// arraysOf returns the decoder for the array of a member.
func (z *Reader) arraysOf(e *zipfile.Entry) npy.Decoder {
	d := z.dec.Array
	if packed, ok := d.Objects.(npy.CompressedDecoder); ok && e.CompressedSize < e.Size {
		d.Objects = packed.OfCompressed(func() int64 { return e.CompressedSize })
	}
	return d
}

// A parsedHeader is the header that was read last: the next member often has the same.
type parsedHeader struct {
	raw    []byte
	header format.Header
}

// parseHeader reads the header at the start of a member.
func (z *Reader) parseHeader(data []byte) (format.Header, error) {
	if last := z.header.Load(); last != nil && bytes.HasPrefix(data, last.raw) {
		return last.header, nil
	}
	d := z.dec.Array.Format()
	h, err := d.ParseHeader(data)
	if err == io.EOF {
		err = fmt.Errorf("%w: the member is empty", format.ErrMagic)
	}
	if err == nil {
		const keep = 1 << 10 // common headers are smaller; larger ones are not kept
		if h.DataOffset <= keep {
			z.header.Store(&parsedHeader{bytes.Clone(data[:h.DataOffset]), h})
		}
	}
	return h, err
}

// inflater returns a decoder from the pool.
func (z *Reader) inflater() *inflate.Decoder {
	if d, ok := z.inflaters.Get().(*inflate.Decoder); ok {
		return d
	}
	return new(inflate.Decoder)
}
