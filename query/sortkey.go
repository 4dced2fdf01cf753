package query

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/scalar"
)

// A Key is a value of each row by which rows are ordered or grouped.
type Key struct {
	// Field is the name of a field of records, dotted if nested: "mag", "pos.x". A name with dots of its own is found
	// as well. A subarray compares item by item, and a struct field by field. For a plain array of one dimension it is
	// "" or "x", for one of two dimensions the number of a column: "3", or "-1" for the last.
	Field string

	// Descending puts the largest value first. NaN and NaT stay last.
	Descending bool
}

// ParseKeys reads the keys of a list such as "-mag,pos.x". A minus sign means Descending.
func ParseKeys(text string) ([]Key, error) {
	var keys []Key
	for name := range strings.SplitSeq(text, ",") {
		name, descending := strings.CutPrefix(strings.TrimSpace(name), "-")
		if name == "" {
			return nil, fmt.Errorf("query: keys %q: a name is missing; want FIELD[,-FIELD]", text)
		}
		keys = append(keys, Key{Field: name, Descending: descending})
	}
	return keys, nil
}

// maxKeyParts limits the parts of up to eight bytes that the keys of a row may have.
const maxKeyParts = 1 << 16

// A keyPart is up to eight bytes of the sort key of a row.
type keyPart struct {
	offset int // of the item within the row
	end    int
	shift  uint // within the word
	load   loadFunc
}

// A loadFunc returns bytes of the sort key of an item as an unsigned number. Keys of items compare as the items do.
type loadFunc func(item []byte) uint64

// A keyPlan makes sort keys of rows. A sort key is a number of words: rows compare as their words do, one after
// another. Rows with equal words are equal: -0 equals 0, and NaN equals NaN.
type keyPlan struct {
	row    int // bytes of a row
	words  [][]keyPart
	used   uint // bits of the last word
	parts  int
	single fields.Place // of the key, if there is one
	last   bool         // the largest value of it comes first
	truth  bool         // bools are true or false; otherwise their bytes compare, as numpy.sort has it
}

// word returns a word of the sort key of a row.
func (p *keyPlan) word(w int, row []byte) uint64 {
	var key uint64
	for i := range p.words[w] {
		x := &p.words[w][i]
		key |= x.load(row[x.offset:x.end]) << x.shift
	}
	return key
}

// compare compares the keys of two rows from word w on.
func (p *keyPlan) compare(w int, a, b []byte) int {
	for ; w < len(p.words); w++ {
		switch x, y := p.word(w, a), p.word(w, b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
	}
	return 0
}

// rowsOf returns the shape of src as rows along the first axis: their number and the bytes of each.
func rowsOf(src npy.Source) (n, size int, err error) {
	t, shape := src.DType(), src.Shape()
	switch {
	case t.HasObject():
		return 0, 0, fmt.Errorf("query: dtype %s: %w: Python objects have no order of their own", t, npy.ErrObjects)
	case len(shape) == 0:
		return 0, 0, errors.New("query: an array without dimensions has no rows")
	}
	size, ok := bounded.Count(shape[1:], t.ItemSize())
	if !ok {
		return 0, 0, fmt.Errorf("query: rows of shape %s are too large", format.ShapeString(shape[1:]))
	}
	return shape[0], size * t.ItemSize(), nil
}

// newKeyPlan returns the plan for the rows of src. Without keys, the whole row is the key.
func newKeyPlan(src npy.Source, keys []Key, descending bool) (*keyPlan, error) {
	_, size, err := rowsOf(src)
	if err != nil {
		return nil, err
	}
	p := &keyPlan{row: size}
	t, shape := src.DType(), src.Shape()
	if len(keys) == 0 {
		keys = []Key{{}}
		if len(shape) > 1 {
			return nil, fmt.Errorf("query: an array of shape %s has no order of its own; sort its rows by the number of a column, or along an axis", format.ShapeString(shape))
		}
	}
	for _, k := range keys {
		place, err := placeOf(t, shape, k.Field)
		if err != nil {
			return nil, err
		}
		if len(keys) == 1 {
			p.single, p.last = place, k.Descending != descending
		}
		if err := p.add(place, k.Descending != descending); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// placeOf returns the place of a key within a row.
func placeOf(t dtype.Type, shape []int, name string) (fields.Place, error) {
	whole := fields.Place{DType: t}
	switch {
	case t.IsStruct() && name != "" && len(shape) > 1:
		return whole, fmt.Errorf("query: records of shape %s have no rows with one field %q; reshape them to one dimension", format.ShapeString(shape), name)
	case t.IsStruct() && name != "":
		if p, ok := fieldAt(whole, name); ok {
			return p, nil
		}
		return whole, &npy.FieldError{DType: t, Path: name}
	case len(shape) == 1 && (name == "" || name == "x" && !t.IsStruct()):
		return whole, nil
	case len(shape) == 2:
		column, err := strconv.Atoi(name)
		if err != nil {
			return whole, fmt.Errorf("query: key %q of an array of shape %s: want the number of a column", name, format.ShapeString(shape))
		}
		if column < 0 {
			column += shape[1]
		}
		if column < 0 || column >= shape[1] {
			return whole, fmt.Errorf("query: column %s is out of range for an array of shape %s", name, format.ShapeString(shape))
		}
		whole.Offset = column * t.ItemSize()
		return whole, nil
	case len(shape) == 1:
		return whole, fmt.Errorf("query: no field %q: dtype %s has no fields; the elements themselves are x", name, t)
	}
	return whole, fmt.Errorf("query: an array of shape %s has no keys; want records, or one or two dimensions", format.ShapeString(shape))
}

// fieldAt finds a field by its dotted name.
func fieldAt(p fields.Place, name string) (fields.Place, bool) {
	if f, ok := p.DType.FieldByName(name); ok {
		return p.In(f), true
	}
	for i := range name {
		if name[i] != '.' {
			continue
		}
		if f, ok := p.DType.FieldByName(name[:i]); ok && f.DType.IsStruct() {
			if q, ok := fieldAt(p.In(f), name[i+1:]); ok {
				return q, true
			}
		}
	}
	return p, false
}

// add adds the items at a place to the key.
func (p *keyPlan) add(at fields.Place, descending bool) error {
	t := at.DType
	switch {
	case t.IsSubarray():
		n, ok := bounded.Count(t.SubShape(), 1)
		if !ok || n > maxKeyParts {
			return bounded.Over("", maxKeyParts, n, "query: a key of dtype %s has %d items; choose one field or column", t, n)
		}
		item := fields.Place{DType: t.Elem(), Offset: at.Offset}
		for range n {
			if err := p.add(item, descending); err != nil {
				return err
			}
			item.Offset += item.DType.ItemSize()
		}
		return nil
	case t.IsStruct():
		for _, f := range t.Fields() {
			if err := p.add(at.In(f), descending); err != nil {
				return err
			}
		}
		return nil
	}
	return p.addItem(at, descending)
}

// addItem adds a plain item.
func (p *keyPlan) addItem(at fields.Place, descending bool) error {
	t, size := at.DType, at.DType.ItemSize()
	big := t.ByteOrder() == dtype.BigEndian
	put := func(offset, size, width int, load loadFunc) error {
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
	return fmt.Errorf("query: dtype %s has no order: %w", t, errors.ErrUnsupported)
}

// put adds a part with the given number of bits. load gets size bytes at offset.
func (p *keyPlan) put(offset, size int, bits uint, load loadFunc) error {
	if p.parts++; p.parts > maxKeyParts {
		return bounded.Over("", maxKeyParts, p.parts, "query: a key of more than %d parts; choose fewer or shorter fields", maxKeyParts)
	}
	if len(p.words) == 0 || p.used+bits > 64 {
		p.words, p.used = append(p.words, nil), 0
	}
	p.used += bits
	last := &p.words[len(p.words)-1]
	*last = append(*last, keyPart{offset: offset, end: offset + size, shift: 64 - p.used, load: load})
	return nil
}

// uintOf returns the function that reads an unsigned integer of size bytes.
func uintOf(size int, big bool) loadFunc {
	switch {
	case size == 1:
		return func(b []byte) uint64 { return uint64(b[0]) }
	case size == 2 && big:
		return func(b []byte) uint64 { return uint64(binary.BigEndian.Uint16(b)) }
	case size == 2:
		return func(b []byte) uint64 { return uint64(binary.LittleEndian.Uint16(b)) }
	case size == 4 && big:
		return func(b []byte) uint64 { return uint64(binary.BigEndian.Uint32(b)) }
	case size == 4:
		return func(b []byte) uint64 { return uint64(binary.LittleEndian.Uint32(b)) }
	case big:
		return binary.BigEndian.Uint64
	}
	return binary.LittleEndian.Uint64
}

// intKey returns the key of integers, bools and times. The sign bit is flipped, so that negative numbers come first.
// NaT, the smallest number, becomes the largest key.
func intKey(t dtype.Type, kind dtype.Kind, descending bool) loadFunc {
	read, size := uintOf(t.ItemSize(), t.ByteOrder() == dtype.BigEndian), t.ItemSize()
	mask := uint64(math.MaxUint64) >> (64 - 8*size)
	flip := uint64(0)
	if kind != dtype.KindUint && kind != dtype.KindBool {
		flip = 1 << (8*size - 1)
	}
	if small, ok := elem.SmallIntOf(t); ok {
		read = func(b []byte) uint64 { return uint64(uint8(small.Value(b[0]))) }
	}
	switch {
	case descending: // for times this puts NaT last as well
		flip ^= mask
	case kind == dtype.KindDatetime || kind == dtype.KindTimedelta:
		return func(b []byte) uint64 { return read(b) ^ flip - 1 }
	}
	return func(b []byte) uint64 { return read(b) ^ flip }
}

// bytesKey returns the key of n bytes, which compare as unsigned numbers.
func bytesKey(n int, descending bool) loadFunc {
	flip := uint64(0)
	if descending {
		flip = math.MaxUint64 >> (64 - 8*n)
	}
	return func(b []byte) uint64 {
		key := uint64(0)
		for _, c := range b[:n] {
			key = key<<8 | uint64(c)
		}
		return key ^ flip
	}
}

// strKey returns the key of one or two code points, n bytes.
func strKey(n int, big, descending bool) loadFunc {
	read := uintOf(4, big)
	flip := uint64(0)
	if descending {
		flip = math.MaxUint64 >> (64 - 8*n)
	}
	if n == 4 {
		return func(b []byte) uint64 { return read(b) ^ flip }
	}
	return func(b []byte) uint64 { return (read(b)<<32 | read(b[4:])) ^ flip }
}

// floatPart returns the dtype of the parts of a complex number.
func floatPart(t dtype.Type) dtype.Type {
	f := map[int]string{8: "f4", 16: "f8", 24: "f12", 32: "f16"}[t.ItemSize()]
	part, err := dtype.ParseDescr("'" + map[bool]string{true: ">", false: "<"}[t.ByteOrder() == dtype.BigEndian] + f + "'")
	if err != nil {
		panic(err) // every complex dtype has such a part
	}
	return part
}

// addFloat adds a float of size bytes.
func (p *keyPlan) addFloat(offset, size int, t dtype.Type, descending bool) error {
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

// floatKey returns the key of floats of up to eight bytes.
func floatKey(t dtype.Type, descending bool) loadFunc {
	size := t.ItemSize()
	read := uintOf(size, t.ByteOrder() == dtype.BigEndian)
	inf := map[int]uint64{2: 0x7c00, 4: 0x7f80_0000, 8: 0x7ff0_0000_0000_0000}[size]
	if small, ok := elem.SmallFloatOf(t); ok {
		size, inf = 4, 0x7f80_0000
		read = func(b []byte) uint64 { return uint64(math.Float32bits(small.Value(b[0]))) }
	} else if elem.IsBFloat16(t) {
		inf = 0x7f80
	}
	sign := uint64(1) << (8*size - 1)
	mask := sign<<1 - 1
	flip := uint64(0)
	if descending {
		flip = mask
	}
	return func(b []byte) uint64 {
		x := read(b)
		switch {
		case x&^sign > inf: // NaN
			return mask
		case x == sign: // -0
			return sign ^ flip
		case x&sign != 0:
			return x ^ mask ^ flip
		}
		return x ^ sign ^ flip
	}
}

// longKeys returns the two parts of the key of long doubles: sign and exponent, and mantissa.
func longKeys(big, descending bool) (high, low loadFunc) {
	const sign, exponent = 1 << 15, 1<<15 - 1
	part := func(b []byte) (h, l uint64) {
		x, _ := scalar.LongDoubleFromBytes(b, big) // the size is that of a dtype
		h, l = uint64(x.SignExp), x.Mantissa
		switch {
		case x.IsNaN():
			return math.MaxUint16, math.MaxUint64
		case h&exponent == 0 && l == 0:
			h = sign
		case h&sign != 0:
			h, l = h^math.MaxUint16, ^l
		default:
			h |= sign
		}
		if descending {
			h, l = h^math.MaxUint16, ^l
		}
		return h, l
	}
	return func(b []byte) uint64 { h, _ := part(b); return h }, func(b []byte) uint64 { _, l := part(b); return l }
}

// complexClass returns the first byte of the key of complex numbers. NumPy puts numbers with a NaN after all others:
// first if the imaginary part is NaN, then if the real part is, then if both are.
func complexClass(half dtype.Type) loadFunc {
	size := half.ItemSize()
	isNaN := func(b []byte) bool {
		x, _ := scalar.LongDoubleFromBytes(b, half.ByteOrder() == dtype.BigEndian)
		return x.IsNaN()
	}
	if size <= 8 {
		key := floatKey(half, false)
		isNaN = func(b []byte) bool { return key(b) == math.MaxUint64>>(64-8*size) }
	}
	return func(b []byte) uint64 {
		class := uint64(0)
		if isNaN(b[size:]) {
			class |= 1
		}
		if isNaN(b[:size]) {
			class |= 2
		}
		return class
	}
}
