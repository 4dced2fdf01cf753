package chunkfilter

import (
	"errors"
	"fmt"
	"math"
)

// nbit is the filter 5: of each element only the bits that its type uses, one after the other.
type nbit struct {
	raw      bool // nothing was gained
	elements int
	of       packed
}

// packed is a type in nbit's parameters. It has exactly one form.
type packed struct {
	size int   // bytes
	bits int64 // that are kept

	atomic    bool // a number: precision bits from offset on
	big       bool
	precision int
	offset    int

	base    *packed // of an array
	members []packedMember
	// a type with none of these is kept whole
}

type packedMember struct {
	at int // bytes from the start of the compound
	packed
}

// The classes of types.
const (
	nbitAtomic = 1 + iota
	nbitArray
	nbitCompound
	nbitWhole
)

func newNbit(values []uint32) step {
	if len(values) < 5 {
		return faulty{err: fmt.Errorf("%d parameters, too few for a type", len(values))}
	}
	t, rest, err := readPacked(values[3:], 0)
	if err == nil && len(rest) > 0 && int(values[0]) > len(values)-len(rest) {
		err = fmt.Errorf("%d parameters after the type", len(rest))
	}
	if values[2] > math.MaxInt32 {
		err = fmt.Errorf("%d elements", values[2])
	}
	if err != nil {
		return faulty{err: err}
	}
	return nbit{raw: values[1] == 1, elements: int(values[2]), of: t}
}

// sizeMax is the largest element, in bytes.
const sizeMax = 1 << 26

// readPacked reads a type and returns the parameters after it.
func readPacked(values []uint32, depth int) (t packed, rest []uint32, err error) {
	next := func() (v int) {
		if len(values) == 0 || values[0] > sizeMax {
			err = errors.Join(err, errors.New("the type ends too early, or has a number that is too large"))
			return 1
		}
		v, values = int(values[0]), values[1:]
		return v
	}
	if depth > 32 {
		return t, nil, errors.New("more than 32 types in each other")
	}
	class := next()
	t.size = next()
	if err != nil {
		return t, nil, err
	}
	switch class {
	case nbitAtomic:
		t.atomic, t.big = true, next() == 1
		t.precision, t.offset = next(), next()
		t.bits = int64(t.precision)
		if err == nil && (t.precision == 0 || t.precision+t.offset > 8*t.size) {
			err = fmt.Errorf("%d bits from bit %d on, of %d bytes", t.precision, t.offset, t.size)
		}
	case nbitArray:
		base, left, wrong := readPacked(values, depth+1)
		if values, err = left, wrong; err == nil && t.size%base.size != 0 {
			err = fmt.Errorf("an array of %d bytes whose elements have %d", t.size, base.size)
		}
		if err == nil {
			t.base, t.bits = &base, int64(t.size/base.size)*base.bits
		}
	case nbitCompound:
		for n := next(); n > 0 && err == nil; n-- {
			m := packedMember{at: next()}
			if err == nil {
				m.packed, values, err = readPacked(values, depth+1)
			}
			if err == nil && m.at > t.size-m.size {
				err = fmt.Errorf("a member of %d bytes at byte %d of %d", m.size, m.at, t.size)
			}
			t.members = append(t.members, m)
			if t.bits += m.bits; t.bits > 8*sizeMax {
				break
			}
		}
	case nbitWhole:
		t.bits = 8 * int64(t.size)
	default:
		err = fmt.Errorf("a type of class %d", class)
	}
	if err == nil && (t.size == 0 || t.bits <= 0 || t.bits > 8*sizeMax) {
		err = fmt.Errorf("a type of %d bytes with %d bits", t.size, t.bits)
	}
	return t, values, err
}

func (nbit) grow(n int) (int, bool) { return n + 1, false }

func (f nbit) ratio() int {
	if f.raw {
		return 1
	}
	return int((8*int64(f.of.size) + f.of.bits - 1) / f.of.bits)
}

func (f nbit) decode(_ *scratch, dst, src []byte, _ bool) (int, error) {
	if f.raw {
		if len(src) > len(dst) {
			return 0, corrupt(len(dst), "%d bytes, and at most %d are expected", len(src), len(dst))
		}
		return copy(dst, src), nil
	}
	if f.elements > len(dst)/f.of.size {
		return 0, fmt.Errorf("%w: the filter is for %d elements, and a chunk has %d", ErrCorrupt, f.elements, len(dst)/f.of.size)
	}
	dst = dst[:f.elements*f.of.size]
	clear(dst)
	r := bitReader{src: src}
	for i := range f.elements {
		f.of.read(&r, dst[i*f.of.size:(i+1)*f.of.size])
		if r.over {
			return 0, corrupt(len(src), "the data ends before element %d of %d", i, f.elements)
		}
	}
	return len(dst), nil
}

// read reads an element into dst, whose bytes are 0.
func (t *packed) read(r *bitReader, dst []byte) {
	switch {
	case t.atomic:
		for high := t.offset + t.precision; high > t.offset; {
			at := (high - 1) / 8
			low := max(t.offset, 8*at)
			v := byte(r.bits(uint(high-low))) << (low - 8*at)
			if t.big {
				at = t.size - 1 - at
			}
			dst[at] |= v
			high = low
		}
	case t.base != nil:
		for at := 0; at < t.size && !r.over; at += t.base.size {
			t.base.read(r, dst[at:at+t.base.size])
		}
	case t.members != nil:
		for i := range t.members {
			m := &t.members[i]
			m.read(r, dst[m.at:m.at+m.size])
		}
	default:
		for i := range dst {
			dst[i] = byte(r.bits(8))
		}
	}
}
