package hdf5

import (
	"bytes"
	"strings"
	"sync"

	"github.com/npygo/npy/internal/bounded"
)

// A collection is a block of the global heap: objects of variable length, found by their numbers.
type collection struct {
	bytes   []byte
	text    string   // the same
	objects []extent // by their numbers; those that do not exist have at 0

	mu    sync.Mutex
	texts map[textKey]string // of objects whose text is not their bytes
}

// An extent is the bytes of an object in its collection.
type extent struct {
	at, n int
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
func (f *file) collection(at uint64) (*collection, error) {
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
	if f.heapBytes += len(g.bytes); f.heapBytes > heapCacheMax || f.collections == nil {
		f.collections, f.heapBytes = map[uint64]*collection{}, len(g.bytes)
	}
	f.collections[at] = g
	return g, nil
}

// readCollection reads a collection.
func (f *file) readCollection(at uint64) (*collection, error) {
	const what = "global heap collection"
	c := f.cursor(what, at, 8+f.lengthSize)
	c.signature("GCOL")
	c.version(1, 1)
	c.skip(3)
	size := c.length()
	if c.err != nil {
		return nil, c.err
	}
	b, err := f.bytes(what, at, size)
	if err != nil {
		return nil, err
	}
	g := &collection{bytes: b, text: string(b)}
	c = cursor{f: f.input, what: what, at: at, b: b}
	for c.skip(8 + f.lengthSize); c.err == nil && c.left() >= 8+f.lengthSize; {
		number := c.u16()
		c.skip(6)
		n := c.size()
		if number == 0 { // free space, up to the end
			break
		}
		for len(g.objects) <= number {
			g.objects = append(g.objects, extent{})
		}
		at := c.pos
		c.skip(n)
		if c.err == nil {
			s := g.text[at : at+n]
			g.objects[number] = extent{at, n, strings.IndexByte(s, 0) < 0 && isPlain(s)}
		}
		c.skip(min(-n&7, c.left()))
	}
	return g, c.err
}

// A reading is the state of one conversion of elements to objects, on one goroutine. It limits what one file can make of
// the same bytes, which elements may share.
type reading struct {
	f    *file
	left int64 // bytes of sequences that may still be copied

	at   uint64      // the address of the collection that was used last, and
	last *collection // that
}

// reading starts a conversion.
func (f *file) reading() *reading { return &reading{f: f, left: f.size + 1<<20} }

// A place is an object of the global heap, as elements of variable length name it.
type place struct {
	count      int // of elements
	collection uint64
	number     uint32
}

// place reads the place of an element of variable length.
func (f *file) place(src []byte) place {
	c := &cursor{f: f.input, what: "element of variable length", b: src}
	return place{int(c.u32()), c.address(), c.u32()}
}

// isNone reports whether there is no object.
func (p place) isNone() bool { return p.collection == 0 || p.collection == undefined || p.count == 0 }

// object returns the collection and the extent of an object.
func (r *reading) object(p place) (*collection, extent, error) {
	if r.last == nil || r.at != p.collection {
		g, err := r.f.collection(p.collection)
		if err != nil {
			return nil, extent{}, err
		}
		r.at, r.last = p.collection, g
	}
	if uint64(p.number) >= uint64(len(r.last.objects)) || r.last.objects[p.number].at == 0 {
		return nil, extent{}, invalid("global heap collection", r.f.offset(p.collection), "it has no object %d", p.number)
	}
	return r.last, r.last.objects[p.number], nil
}

// text returns the string at src: up to its first NUL, since it may be terminated, and without the spaces it is padded
// with. Strings share the memory of their collection.
func (r *reading) text(src []byte, pad int) (string, error) {
	p := r.f.place(src)
	if p.isNone() {
		return "", nil
	}
	g, x, err := r.object(p)
	if err != nil {
		return "", err
	}
	if p.count < 0 || p.count > x.n {
		return "", invalid("global heap collection", r.f.offset(p.collection), "object %d has %d bytes, and a string of %d is there", p.number, x.n, p.count)
	}
	if x.plain && p.count == x.n && pad != padSpace {
		return g.text[x.at : x.at+x.n], nil
	}
	return r.other(g, p, x, pad)
}

// other returns a text that is not the bytes of its object. A million elements may be the same object, so the text is
// kept; a part of an object is not, and counts.
func (r *reading) other(g *collection, p place, x extent, pad int) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := textKey{p.number, pad}
	if s, ok := g.texts[key]; ok && p.count == x.n {
		return s, nil
	}
	if err := r.spend(p.count); err != nil {
		return "", err
	}
	b, _, _ := bytes.Cut(g.bytes[x.at:x.at+p.count], []byte{0})
	if pad == padSpace {
		b = bytes.TrimRight(b, " ")
	}
	s := toText(string(b))
	if p.count == x.n {
		if g.texts == nil {
			g.texts = map[textKey]string{}
		}
		g.texts[key] = s
	}
	return s, nil
}

// spend counts bytes that are copied.
func (r *reading) spend(n int) error {
	if r.left -= int64(n); r.left < 0 {
		return bounded.Over("", r.f.size, 0, "elements of variable length share more bytes than the file has")
	}
	return nil
}

// sequence returns the bytes of the n elements of size bytes at src, and n.
func (r *reading) sequence(src []byte, size int) ([]byte, int, error) {
	p := r.f.place(src)
	if p.isNone() {
		return nil, 0, nil
	}
	g, x, err := r.object(p)
	if err != nil {
		return nil, 0, err
	}
	n, ok := bounded.Mul(p.count, size)
	if p.count < 0 || !ok || n > x.n {
		return nil, 0, invalid("global heap collection", r.f.offset(p.collection), "object %d has %d bytes, and %d elements of %d are there", p.number, x.n, p.count, size)
	}
	if err := r.spend(n); err != nil {
		return nil, 0, err
	}
	return g.bytes[x.at : x.at+n], p.count, nil
}
