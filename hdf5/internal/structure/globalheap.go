package structure

import (
	"bytes"
	"strings"
	"sync"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/bounded"
)

// A collection is a block of the global heap: objects of variable length, found by their numbers.
type collection struct {
	Bytes   []byte
	text    string   // the same
	objects []extent // by their numbers; At is 0 for objects that do not exist

	mu    sync.Mutex
	texts map[textKey]string // of objects whose text is not their bytes
}

// An extent is the bytes of an object in its collection.
type extent struct {
	At, N int
	plain bool // as text they stand for themselves
}

// A textKey is an object, and how its text is padded.
type textKey struct {
	number uint32
	pad    int
}

// heapCacheMax is the number of bytes of collections that stay in memory.
const heapCacheMax = 64 << 20

// collection returns the collection at an address.
func (f *File) collection(at uint64) (*collection, error) {
	f.heapMu.Lock()
	g, ok := f.collections[at]
	f.heapMu.Unlock()
	if ok {
		return g, nil
	}
	g, err := f.readCollection(at)
	if err != nil {
		return nil, err
	}
	f.heapMu.Lock()
	defer f.heapMu.Unlock()
	if f.heapBytes += len(g.Bytes); f.heapBytes > heapCacheMax || f.collections == nil {
		f.collections, f.heapBytes = map[uint64]*collection{}, len(g.Bytes)
	}
	f.collections[at] = g
	return g, nil
}

// readCollection reads a collection.
func (f *File) readCollection(at uint64) (*collection, error) {
	const what = "global heap collection"
	c := f.Cursor(what, at, 8+f.LengthSize)
	c.Signature("GCOL")
	c.Version(1, 1)
	c.Skip(3)
	size := c.Length()
	if c.Err != nil {
		return nil, c.Err
	}
	b, err := f.Bytes(what, at, size)
	if err != nil {
		return nil, err
	}
	g := &collection{Bytes: b, text: string(b)}
	c = storage.Cursor{In: f.Input, What: what, At: at, Data: b}
	for c.Skip(8 + f.LengthSize); c.Err == nil && c.Left() >= 8+f.LengthSize; {
		number := c.U16()
		c.Skip(6)
		n := c.Size()
		if number == 0 { // free space, up to the end
			break
		}
		for len(g.objects) <= number {
			g.objects = append(g.objects, extent{})
		}
		at := c.Pos
		c.Skip(n)
		if c.Err == nil {
			s := g.text[at : at+n]
			g.objects[number] = extent{at, n, strings.IndexByte(s, 0) < 0 && isPlain(s)}
		}
		c.Skip(min(-n&7, c.Left()))
	}
	return g, c.Err
}

// A Reading is the state of one conversion of elements to objects, on one goroutine. It limits the memory that one file
// can take by elements that share bytes.
type Reading struct {
	File *File
	left int64 // bytes of sequences that may still be copied

	at   uint64      // the address of the collection that was used last, and
	last *collection // that
}

// Reading starts a conversion.
func (f *File) Reading() *Reading { return f.ReadingOf(f.Size + 1<<20) }

// ReadingOf starts a conversion that may copy a number of bytes of sequences.
func (f *File) ReadingOf(left int64) *Reading { return &Reading{File: f, left: left} }

// A Place is an object of the global heap, as elements of variable length name it.
type Place struct {
	Count      int // of elements
	Collection uint64
	Number     uint32
}

// place reads the place of an element of variable length.
func (f *File) place(src []byte) Place {
	c := &storage.Cursor{In: f.Input, What: "element of variable length", Data: src}
	return Place{int(c.U32()), c.Address(), c.U32()}
}

// IsNone reports whether there is no object.
func (p Place) IsNone() bool {
	return p.Collection == 0 || p.Collection == storage.Undefined || p.Count == 0
}

// Object returns the collection and the extent of an object.
func (r *Reading) Object(p Place) (*collection, extent, error) {
	if r.last == nil || r.at != p.Collection {
		g, err := r.File.collection(p.Collection)
		if err != nil {
			return nil, extent{}, err
		}
		r.at, r.last = p.Collection, g
	}
	if uint64(p.Number) >= uint64(len(r.last.objects)) || r.last.objects[p.Number].At == 0 {
		return nil, extent{}, fault.Invalid("global heap collection", r.File.Offset(p.Collection), "it has no object %d", p.Number)
	}
	return r.last, r.last.objects[p.Number], nil
}

// Text returns the string at src: up to its first NUL, since it may be terminated, and without the spaces it is padded
// with. Strings share the memory of their collection.
func (r *Reading) Text(src []byte, pad int) (string, error) {
	p := r.File.place(src)
	if p.IsNone() {
		return "", nil
	}
	g, x, err := r.Object(p)
	if err != nil {
		return "", err
	}
	if p.Count < 0 || p.Count > x.N {
		return "", fault.Invalid("global heap collection", r.File.Offset(p.Collection), "object %d has %d bytes, and a string of %d is there", p.Number, x.N, p.Count)
	}
	if x.plain && p.Count == x.N && pad != PadSpace {
		return g.text[x.At : x.At+x.N], nil
	}
	return r.other(g, p, x, pad)
}

// other returns a text that is not the bytes of its object. A million elements may be the same object, so the text is
// kept; a part of an object is not, and counts.
func (r *Reading) other(g *collection, p Place, x extent, pad int) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := textKey{p.Number, pad}
	if s, ok := g.texts[key]; ok && p.Count == x.N {
		return s, nil
	}
	if err := r.spend(p.Count); err != nil {
		return "", err
	}
	b, _, _ := bytes.Cut(g.Bytes[x.At:x.At+p.Count], []byte{0})
	if pad == PadSpace {
		b = bytes.TrimRight(b, " ")
	}
	s := ToText(string(b))
	if p.Count == x.N {
		if g.texts == nil {
			g.texts = map[textKey]string{}
		}
		g.texts[key] = s
	}
	return s, nil
}

// spend counts bytes that are copied.
func (r *Reading) spend(n int) error {
	if r.left -= int64(n); r.left < 0 {
		return bounded.Over("", r.File.Size, 0, "elements of variable length share more bytes than the file has")
	}
	return nil
}

// Sequence returns the bytes of the n elements of size bytes at src, and n.
func (r *Reading) Sequence(src []byte, size int) ([]byte, int, error) {
	p := r.File.place(src)
	if p.IsNone() {
		return nil, 0, nil
	}
	g, x, err := r.Object(p)
	if err != nil {
		return nil, 0, err
	}
	n, ok := bounded.Mul(p.Count, size)
	if p.Count < 0 || !ok || n > x.N {
		return nil, 0, fault.Invalid("global heap collection", r.File.Offset(p.Collection), "object %d has %d bytes, and %d elements of %d are there", p.Number, x.N, p.Count, size)
	}
	if err := r.spend(n); err != nil {
		return nil, 0, err
	}
	return g.Bytes[x.At : x.At+n], p.Count, nil
}
