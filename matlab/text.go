package matlab

import (
	"bytes"
	"context"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/source"
)

// text completes the node of a character array: strings along the last axis, as chars_as_strings of scipy.io.loadmat.
func (b *builder) text(n *node, x *matrix) error {
	p, err := x.textPart()
	if err != nil {
		return err
	}
	t, shape, err := strings32(x.dims)
	if err != nil {
		return x.scan.fail(x.start, "%w", err)
	}
	n.DType, n.Shape = t, shape
	n.Stored = b.sizeOf(x, x.end-p.data)
	x.needs(p)
	n.source = func() (npy.Source, error) {
		return source.Whole(t, shape, func(ctx context.Context) (*npy.Array, error) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			a, err := b.readText(x, p, t, shape)
			return a, named(err, n.Path)
		}), nil
	}
	if p.n == 0 || x.count() == 0 { // nothing is read
		n.source = x.checked(n.Path, n.source)
	}
	return nil
}

// strings32 returns the dtype and the shape of the strings of a character array.
func strings32(dims []int) (dtype.Type, []int, error) {
	last := len(dims) - 1
	if (format.Header{DType: dtype.Int8, Shape: dims}).Size() == 0 { // ['', ''] is an array without elements in SciPy, too
		shape := append([]int{}, dims[:last]...)
		if dims[last] == 0 {
			shape = append(shape[:0], 0)
		}
		return dtype.Str(1).WithByteOrder(dtype.LittleEndian), shape, nil
	}
	if dims[last] > dtype.MaxItemSize/4 {
		return dtype.Type{}, nil, unsupported("strings of %d characters", dims[last])
	}
	return dtype.Str(dims[last]).WithByteOrder(dtype.LittleEndian), append([]int{}, dims[:last]...), nil
}

// textPart reads the tag of characters. UTF-8 may need more bytes than there are characters, or fewer if the
// dimensions count bytes.
func (x *matrix) textPart() (part, error) {
	if x.count() == 0 && x.body == x.end { // MATLAB leaves out the data
		return part{t: dtype.Uint8}, nil
	}
	t, err := x.scan.tag(x.body, x.end)
	switch {
	case err != nil:
		return part{}, err
	case t.n == 0 && x.count() <= maxBlanks: // and of nothing but spaces
		return part{tag: t, t: dtype.Uint8}, nil
	case storedTypes[t.typ].Kind() == dtype.KindFloat || storedTypes[t.typ].ItemSize() == 8:
		return part{}, x.scan.fail(x.body, "characters of type %d", t.typ)
	case t.typ == miUTF8:
		return x.part(x.body, x.count())
	}
	return x.whole(x.body, x.count())
}

// maxBlanks is the most spaces that a file can ask for without having them.
const maxBlanks = 1 << 16

// readText reads a character array.
func (b *builder) readText(x *matrix, p part, t dtype.Type, shape []int) (*npy.Array, error) {
	if (format.Header{DType: t, Shape: shape}).Size() == 0 || x.count() == 0 {
		return npy.New(t, shape...)
	}
	raw, err := b.smallBytes(x.scan.space, p, int(p.n)/p.t.ItemSize())
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 {
		raw = bytes.Repeat([]byte(" "), x.count())
	}
	units, joined := unitsOf(raw, p, x.count(), x.scan.order)
	return textArray(t, shape, units, joined)
}

// A joined is how the units of a string become characters.
type joined int

const (
	alone   joined = iota // they are characters
	inUTF16               // two surrogates are one character
	inUTF8                // bytes
)

// unitsOf returns the count units of an array, in Fortran order. The dimensions of UTF-8 count characters; other programs
// than MATLAB count bytes.
func unitsOf(raw []byte, p part, count int, order binary.ByteOrder) ([]rune, joined) {
	if p.typ == miUTF8 && utf8.RuneCount(raw) == count {
		return []rune(string(raw)), alone
	}
	units := make([]rune, count)
	for i := range units {
		switch p.t.ItemSize() {
		case 1:
			units[i] = rune(raw[i])
		case 2:
			units[i] = rune(order.Uint16(raw[2*i:]))
		case 4:
			units[i] = rune(order.Uint32(raw[4*i:]))
		default:
			units[i] = rune(order.Uint64(raw[8*i:]))
		}
	}
	switch {
	case p.typ == miUTF8:
		return units, inUTF8
	case p.t.ItemSize() == 2:
		return units, inUTF16
	}
	return units, alone
}

// textArray returns an array of strings. units are the characters in Fortran order, the first character of every string
// before the second of each.
func textArray(t dtype.Type, shape []int, units []rune, how joined) (*npy.Array, error) {
	chars := t.ItemSize() / 4
	rows := len(units) / chars
	data := make([]byte, rows*t.ItemSize())
	row := make([]rune, chars)
	for r := range rows {
		for j := range row {
			row[j] = units[r+j*rows]
		}
		to := data[r*t.ItemSize():]
		for j, c := range how.join(row) {
			binary.LittleEndian.PutUint32(to[4*j:], uint32(c))
		}
	}
	return npy.FromHeader(format.Header{DType: t, Shape: shape, FortranOrder: true}, data)
}

// join returns the characters of a string, which may be fewer than the units.
func (how joined) join(units []rune) []rune {
	switch how {
	case inUTF16:
		chars := units[:0:0]
		for i := 0; i < len(units); i++ {
			c := units[i]
			if i+1 < len(units) {
				if pair := utf16.DecodeRune(c, units[i+1]); pair != utf8.RuneError {
					c = pair
					i++
				}
			}
			chars = append(chars, c)
		}
		return chars
	case inUTF8:
		text := make([]byte, len(units))
		for i, c := range units {
			text[i] = byte(c)
		}
		if utf8.Valid(text) {
			return []rune(string(text))
		}
	}
	return units
}
