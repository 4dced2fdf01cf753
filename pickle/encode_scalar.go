package pickle

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/npygo/npy/internal/bounded"
)

var (
	errNotUTF8   = errors.New("it is not UTF-8: use []byte for Python bytes")
	errTooLarge  = errors.New("it is larger than 4 GiB: set Encoder.Protocol to 4 or more")
	errLargeInt  = errors.New("it has more than 2 GiB")
	errNoPointer = errors.New("the pointer is nil")
)

// saveString writes a str and memoises it.
func (p *pickler) saveString(s string, id memoKey) error {
	if !utf8.ValidString(s) && !validText([]byte(s)) {
		return fail(s, errNotUTF8)
	}
	if p.protocol == 0 {
		p.saveText(s)
		p.memoize(id)
		return nil
	}
	op, countSize := byte(opBinUnicode), 4
	switch {
	case len(s) <= math.MaxUint8 && p.protocol >= 4:
		op, countSize = opShortBinUnicode, 1
	case uint64(len(s)) > math.MaxUint32:
		op, countSize = opBinUnicode8, 8
	}
	if countSize == 8 && p.protocol < 4 {
		return fail(s, errTooLarge)
	}
	if err := writeData(&p.out, op, countSize, s); err != nil {
		return err
	}
	p.memoize(id)
	return nil
}

// saveBytes writes bytes and memoises them.
func (p *pickler) saveBytes(b []byte, id memoKey) error {
	op, countSize := byte(opBinBytes), 4
	switch {
	case len(b) <= math.MaxUint8:
		op, countSize = opShortBinBytes, 1
	case uint64(len(b)) > math.MaxUint32:
		op, countSize = opBinBytes8, 8
	}
	if countSize == 8 && p.protocol < 4 {
		return fail(b, errTooLarge)
	}
	if err := writeData(&p.out, op, countSize, b); err != nil {
		return err
	}
	p.memoize(id)
	return nil
}

// saveByteArray writes a bytearray and memoises it.
func (p *pickler) saveByteArray(v *ByteArray, id memoKey) error {
	if err := writeData(&p.out, opByteArray8, 8, v.Bytes); err != nil {
		return err
	}
	p.memoize(id)
	return nil
}

// longInt is the largest int, in bytes, that does not count as shared.
const longInt = 1 << 10

// countLarge counts the bytes of a large int that was written before.
func (p *pickler) countLarge(n *big.Int) error {
	size := int64(n.BitLen() / 8)
	if size <= longInt {
		return nil
	}
	if p.large[n] {
		p.again += size
	}
	p.large[n] = true
	if p.again > p.maxShared {
		return fail(n, bounded.Over("MaxShared", p.maxShared, p.again, "ints that were written before take %d bytes, over MaxShared %d", p.again, p.maxShared))
	}
	return nil
}

// saveBig writes an int of any size: two's complement, little-endian, in the fewest bytes.
func (p *pickler) saveBig(n *big.Int) error {
	if n == nil {
		return fail(n, errNoPointer)
	}
	if n.IsInt64() {
		return p.save(n.Int64())
	}
	if p.protocol < 2 {
		p.saveOldBig(n)
		return nil
	}
	if err := p.countLarge(n); err != nil {
		return err
	}
	bits := n.BitLen()
	if n.Sign() < 0 {
		bits = new(big.Int).Not(n).BitLen()
	}
	size := bits/8 + 1
	if int64(size) > math.MaxInt32 {
		return fail(n, errLargeInt)
	}
	unsigned := n
	if n.Sign() < 0 {
		unsigned = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	digits := unsigned.FillBytes(make([]byte, size))
	slices.Reverse(digits)
	op, countSize := byte(opLong1), 1
	if size > math.MaxUint8 {
		op, countSize = opLong4, 4
	}
	p.out.counted(op, countSize, size)
	p.out.bytes(digits...)
	return nil
}
