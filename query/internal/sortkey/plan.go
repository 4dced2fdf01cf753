package sortkey

import (
	"errors"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/rowsource"
)

// maxParts limits the parts of up to eight bytes that the keys of a row may have.
const maxParts = 1 << 16

// A part is up to eight bytes of the sort key of a row.
type part struct {
	offset int // of the item within the row
	end    int
	shift  uint // within the word
	load   Load
}

// A Plan makes sort keys of rows. A sort key is a number of words: rows compare as their words do, one after
// another. Rows with equal words are equal: -0 equals 0, and NaN equals NaN.
type Plan struct {
	Row    int // bytes of a row
	words  [][]part
	used   uint // bits of the last word
	parts  int
	single fields.Place // of the key, if there is one
	last   bool         // the largest value of it comes first
	truth  bool         // bools are true or false
}

// New returns a plan without keys for rows of size bytes.
func New(size int) *Plan { return &Plan{Row: size} }

// NewTruth is New for keys in which bools are true or false. In all others their bytes compare, as in numpy.sort.
func NewTruth(size int) *Plan { return &Plan{Row: size, truth: true} }

// For returns the plan for the rows of src. Without keys, the whole row is the key.
func For(src npy.Source, keys []Key, descending bool) (*Plan, error) {
	_, size, err := rowsource.Shape(src)
	if err != nil {
		return nil, err
	}
	p := &Plan{Row: size}
	t, shape := src.DType(), src.Shape()
	if len(keys) == 0 {
		keys = []Key{{}}
		if len(shape) > 1 {
			return nil, diag.Errorf("query", "an array of shape %s has no order of its own; sort its rows by the number of a column, or along an axis", format.ShapeString(shape))
		}
	}
	for _, k := range keys {
		place, err := PlaceOf(t, shape, k.Field)
		if err != nil {
			return nil, err
		}
		if len(keys) == 1 {
			p.single, p.last = place, k.Descending != descending
		}
		if err := p.Add(place, k.Descending != descending); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Widened returns the plan for rows with some bytes after them.
func (p *Plan) Widened(bytes int) *Plan {
	wide := *p
	wide.Row += bytes
	return &wide
}

// Len returns the number of words of a sort key.
func (p *Plan) Len() int { return len(p.words) }

// Item returns the place of the only item of the key, whether its largest value comes first, and the function that makes the key of
// an item. It returns false if the key has several parts.
func (p *Plan) Item() (at fields.Place, last bool, load Load, ok bool) {
	if p.parts != 1 || !p.single.DType.IsValid() {
		return fields.Place{}, false, nil, false
	}
	return p.single, p.last, p.words[0][0].load, true
}

// Single returns the function that makes the key of an item if that is the whole key, or nil.
func (p *Plan) Single() Load {
	if p.parts != 1 {
		return nil
	}
	return p.words[0][0].load
}

// Word returns a word of the sort key of a row.
func (p *Plan) Word(w int, row []byte) uint64 {
	var key uint64
	for i := range p.words[w] {
		x := &p.words[w][i]
		key |= x.load(row[x.offset:x.end]) << x.shift
	}
	return key
}

// Compare compares the keys of two rows from word w on.
func (p *Plan) Compare(w int, a, b []byte) int {
	for ; w < len(p.words); w++ {
		switch x, y := p.Word(w, a), p.Word(w, b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
	}
	return 0
}

// WordOf makes word w of the keys of some rows of data, which are given by their numbers.
func (p *Plan) WordOf(w int, keys []uint64, data []byte, rows []uint32) {
	size := p.Row
	for j := range p.words[w] {
		x := p.words[w][j]
		for i, row := range rows {
			at := int(row) * size
			key := x.load(data[at+x.offset:at+x.end]) << x.shift
			if j > 0 {
				key |= keys[i]
			}
			keys[i] = key
		}
	}
}

// WordsOf makes the keys of the first n rows of data, stride words apart.
func (p *Plan) WordsOf(keys []uint64, stride int, data []byte, n int) {
	size := p.Row
	for w, parts := range p.words {
		for j := range parts {
			x := parts[j]
			for i := range n {
				key := x.load(data[i*size+x.offset:i*size+x.end]) << x.shift
				if j > 0 {
					key |= keys[i*stride+w]
				}
				keys[i*stride+w] = key
			}
		}
	}
}

// Add adds the items at a place to the key.
func (p *Plan) Add(at fields.Place, descending bool) error {
	t := at.DType
	switch {
	case t.IsSubarray():
		n, ok := bounded.Count(t.SubShape(), 1)
		if !ok || n > maxParts {
			return diag.Wrap("query", bounded.Over("", maxParts, n, "a key of dtype %s has %d items; choose one field or column", t, n))
		}
		item := fields.Place{DType: t.Elem(), Offset: at.Offset}
		for range n {
			if err := p.Add(item, descending); err != nil {
				return err
			}
			item.Offset += item.DType.ItemSize()
		}
		return nil
	case t.IsStruct():
		for _, f := range t.Fields() {
			if err := p.Add(at.In(f), descending); err != nil {
				return err
			}
		}
		return nil
	}
	return p.addItem(at, descending)
}

// addItem adds a plain item.
func (p *Plan) addItem(at fields.Place, descending bool) error {
	t, size := at.DType, at.DType.ItemSize()
	big := t.ByteOrder() == dtype.BigEndian
	put := func(offset, size, width int, load Load) error {
		return p.put(at.Offset+offset, size, uint(8*width), load)
	}
	switch kind := elem.KindOf(t); kind {
	case dtype.KindBool:
		load := intKey(t, kind, descending)
		if p.truth {
			flip := load([]byte{0})
			load = func(b []byte) uint64 { return uint64(min(b[0], 1)) ^ flip }
		}
		return put(0, size, size, load)
	case dtype.KindUint, dtype.KindInt, dtype.KindDatetime, dtype.KindTimedelta:
		return put(0, size, size, intKey(t, kind, descending))
	case dtype.KindFloat:
		return p.addFloat(at.Offset, size, t, descending)
	case dtype.KindComplex:
		half := floatPart(t)
		return errors.Join(put(0, size, 1, complexClass(half)), p.addFloat(at.Offset, size/2, half, descending), p.addFloat(at.Offset+size/2, size/2, half, descending))
	case dtype.KindStr:
		for i := 0; i < size; i += 8 {
			n := min(8, size-i)
			if err := put(i, n, n, strKey(n, big, descending)); err != nil {
				return err
			}
		}
		return nil
	case dtype.KindBytes, dtype.KindVoid:
		for i := 0; i < size; i += 8 {
			n := min(8, size-i)
			if err := put(i, n, n, bytesKey(n, descending)); err != nil {
				return err
			}
		}
		return nil
	}
	return diag.Errorf("query", "dtype %s has no order: %w", t, errors.ErrUnsupported)
}

// EndWord makes the next item begin a word of its own.
func (p *Plan) EndWord() { p.used = 64 }

// put adds a part with the given number of bits. load gets size bytes at offset.
func (p *Plan) put(offset, size int, bits uint, load Load) error {
	if p.parts++; p.parts > maxParts {
		return diag.Wrap("query", bounded.Over("", maxParts, p.parts, "a key of more than %d parts; choose fewer or shorter fields", maxParts))
	}
	if len(p.words) == 0 || p.used+bits > 64 {
		p.words, p.used = append(p.words, nil), 0
	}
	p.used += bits
	last := &p.words[len(p.words)-1]
	*last = append(*last, part{offset: offset, end: offset + size, shift: 64 - p.used, load: load})
	return nil
}

// addFloat adds a float of size bytes.
func (p *Plan) addFloat(offset, size int, t dtype.Type, descending bool) error {
	if size <= 8 {
		width := size
		if _, ok := elem.SmallFloatOf(t); ok {
			width = 4
		}
		return p.put(offset, size, uint(8*width), floatKey(t, descending))
	}
	high, low := longKeys(t.ByteOrder() == dtype.BigEndian, descending)
	return errors.Join(p.put(offset, size, 16, high), p.put(offset, size, 64, low))
}
