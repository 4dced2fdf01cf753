package chunkfilter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// scaleOffset is the filter 6: the differences from the least element, in as few bits as the largest of them takes. Floats
// are rounded to a number of decimals before.
type scaleOffset struct {
	float    bool
	decimals int // of floats
	elements int // of a chunk
	size     int // of an element
	raw      bool
	big      bool
	filled   bool // the largest code stands for fill
	fill     uint64
}

func newScaleOffset(values []uint32) (step, error) {
	wrong := func(format string, args ...any) (step, error) { return faulty{err: fmt.Errorf(format, args...)}, nil }
	if len(values) < 8 {
		return wrong("%d parameters of 20", len(values))
	}
	f := scaleOffset{float: values[3] == 1, decimals: int(int32(values[1])), elements: int(values[2]), size: int(values[4]), big: values[6] == 1, filled: values[7] == 1}
	switch {
	case values[0] == 1:
		return nil, fmt.Errorf("the method E-scale, which libhdf5 has not either: %w", errors.ErrUnsupported)
	case values[3] > 1 || values[0] != 2*(1-values[3]):
		return wrong("method %d for elements of class %d", values[0], values[3])
	case f.size != 1 && f.size != 2 && f.size != 4 && f.size != 8 || f.float && f.size < 4:
		return wrong("elements of %d bytes", f.size)
	case values[2] > math.MaxInt32:
		return wrong("%d elements", values[2])
	case f.decimals < -400 || f.decimals > 400:
		return wrong("%d decimals", f.decimals)
	}
	f.raw = !f.float && f.decimals == 8*f.size
	for i := 0; f.filled && i < (f.size+3)/4; i++ {
		if len(values) <= 8+i {
			return wrong("the fill value is missing")
		}
		f.fill |= uint64(values[8+i]) << (32 * i)
	}
	return f, nil
}

func (scaleOffset) grow(n int) (int, bool) { return n + scaleHeader + 1, false }

// ratio has no limit: the header alone can stand for any number of equal elements.
func (scaleOffset) ratio() int { return math.MaxInt }

const scaleHeader = 21 // bytes

func (f scaleOffset) decode(_ *scratch, dst, src []byte, _ bool) (int, error) {
	if f.raw {
		if len(src) > len(dst) {
			return 0, corrupt(len(dst), "%d bytes, and at most %d are expected", len(src), len(dst))
		}
		return copy(dst, src), nil
	}
	if len(src) < scaleHeader {
		return 0, corrupt(len(src), "%d bytes, too few for a header", len(src))
	}
	if f.elements > len(dst)/f.size {
		return 0, fmt.Errorf("%w: the filter is for %d elements, and a chunk has %d", ErrCorrupt, f.elements, len(dst)/f.size)
	}
	width := uint(8 * f.size)
	code, least := uint(binary.LittleEndian.Uint32(src)), binary.LittleEndian.Uint64(src[5:])
	if code > width || src[4] != 8 {
		return 0, corrupt(0, "codes of %d bits and a least value of %d bytes, and elements have %d bits", code, src[4], width)
	}
	r := bitReader{src: src[scaleHeader:]}
	if code == width { // nothing was gained
		if f.elements > len(r.src)/f.size {
			return 0, corrupt(len(src), "the data ends before element %d of %d", len(r.src)/f.size, f.elements)
		}
		for i := range f.elements {
			f.put(dst[i*f.size:], f.get(r.src[i*f.size:]))
		}
		return f.elements * f.size, nil
	}
	value := f.of(least)
	last := uint64(1)<<code - 1
	for i := range f.elements {
		v := r.bits(code)
		if r.over {
			return 0, corrupt(len(src), "the data ends before element %d of %d", i, f.elements)
		}
		if v == last && f.filled && code > 0 {
			v = f.fill
		} else {
			v = value(v)
		}
		f.put(dst[i*f.size:], v)
	}
	return f.elements * f.size, nil
}

// of returns the bits of the element that a code stands for.
func (f scaleOffset) of(least uint64) func(code uint64) uint64 {
	if !f.float {
		return func(code uint64) uint64 { return code + least }
	}
	if f.size == 4 {
		low, scale := math.Float32frombits(uint32(least)), float32(math.Pow(10, float64(f.decimals)))
		return func(code uint64) uint64 { return uint64(math.Float32bits(float32(float32(code)/scale) + low)) }
	}
	low, scale := math.Float64frombits(least), math.Pow(10, float64(f.decimals))
	return func(code uint64) uint64 { return math.Float64bits(float64(float64(code)/scale) + low) }
}

// get reads the bits of a little-endian element.
func (f scaleOffset) get(b []byte) (v uint64) {
	for i := range f.size {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}

// put writes the bits of an element in the order of the chunk.
func (f scaleOffset) put(b []byte, v uint64) {
	for i := range f.size {
		at := i
		if f.big {
			at = f.size - 1 - i
		}
		b[at] = byte(v >> (8 * i))
	}
}
