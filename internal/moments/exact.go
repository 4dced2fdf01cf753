package moments

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"math/bits"
)

// An Exact is a sum of float64 numbers and of products of two of them, without any rounding, so that it does not depend
// on the order of its terms. It is a fixed-point number in two's complement, low word first. The last bit of the square
// of the smallest float64 is 2**ExactLow; the words hold 2**63 squares of the largest.
type Exact [exactWords]uint64

const (
	exactLow   = -2 * 1074
	exactWords = 67
)

// mantissa returns x as m·2**exp without its sign. x must be finite.
func mantissa(x float64) (m uint64, exp int) {
	b := math.Float64bits(x)
	m, exp = b&(1<<52-1), int(b>>52&(1<<11-1))
	if exp == 0 {
		return m, -1074
	}
	return m | 1<<52, exp - 1075
}

// add adds x·2**shift, for a finite number.
func (e *Exact) add(x float64, shift int) {
	m, exp := mantissa(x)
	e.addWords([3]uint64{m}, exp+shift, x < 0)
}

// addProduct adds n·a·b·2**shift, for finite numbers.
func (e *Exact) addProduct(n uint64, a, b float64, shift int) {
	ma, ea := mantissa(a)
	mb, eb := mantissa(b)
	hi, lo := bits.Mul64(ma, mb)
	var w [3]uint64
	var mid, carry uint64
	mid, w[0] = bits.Mul64(lo, n)
	w[2], w[1] = bits.Mul64(hi, n)
	w[1], carry = bits.Add64(w[1], mid, 0)
	w[2] += carry
	e.addWords(w, ea+eb+shift, (a < 0) != (b < 0))
}

// addWords adds or subtracts m·2**exp. Bits below the last one of an Exact are dropped.
func (e *Exact) addWords(m [3]uint64, exp int, negative bool) {
	at := exp - exactLow
	for at < 0 {
		shift := min(-at, 63)
		m = [3]uint64{m[0]>>shift | m[1]<<(64-shift), m[1]>>shift | m[2]<<(64-shift), m[2] >> shift}
		at += shift
	}
	i, shift := at/64, at%64
	w := [4]uint64{m[0] << shift, m[1]<<shift | m[0]>>(64-shift), m[2]<<shift | m[1]>>(64-shift), m[2] >> (64 - shift)}
	var carry uint64
	to := e[i:]
	for k := 0; k < len(to) && (k < len(w) || carry > 0); k++ {
		var x uint64
		if k < len(w) {
			x = w[k]
		}
		if negative {
			to[k], carry = bits.Sub64(to[k], x, carry)
		} else {
			to[k], carry = bits.Add64(to[k], x, carry)
		}
	}
}

func (e *Exact) merge(o *Exact) {
	var carry uint64
	for i := range e {
		e[i], carry = bits.Add64(e[i], o[i], carry)
	}
}

const topBit = 1 << 63

func (e *Exact) negative() bool { return e[exactWords-1]&topBit != 0 }

// magnitude returns the words without the sign.
func (e *Exact) magnitude() Exact {
	if e.negative() {
		return new(Exact).minus(e)
	}
	return *e
}

// big returns the sum in units of 2**ExactLow.
func (e *Exact) big() *big.Int {
	m := e.magnitude()
	buf := make([]byte, 8*exactWords)
	for i, w := range m {
		binary.BigEndian.PutUint64(buf[8*(exactWords-1-i):], w)
	}
	x := new(big.Int).SetBytes(buf)
	if e.negative() {
		x.Neg(x)
	}
	return x
}

// AppendTo appends the sum as bytes: the number of words that are not zero at either end, twice, plus 1 if the sum is
// negative; the index of the first word if there is one; and the words.
func (e *Exact) AppendTo(dst []byte) []byte {
	m := e.magnitude()
	low, high := 0, exactWords
	for high > 0 && m[high-1] == 0 {
		high--
	}
	if high == 0 {
		return append(dst, 0)
	}
	for m[low] == 0 {
		low++
	}
	head := uint64(high-low) << 1
	if e.negative() {
		head |= 1
	}
	dst = append(dst, byte(head), byte(low))
	for _, w := range m[low:high] {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

var errSum = errors.New("a sum is not one that AppendTo writes")

// Parse sets e to the sum at the start of data and returns the bytes after it.
func (e *Exact) Parse(data []byte) ([]byte, error) {
	*e = Exact{}
	if len(data) > 0 && data[0] == 0 {
		return data[1:], nil
	}
	if len(data) < 2 {
		return nil, errSum
	}
	n, negative, low := int(data[0]>>1), data[0]&1 == 1, int(data[1])
	if data = data[2:]; n == 0 || low+n > exactWords || len(data) < 8*n {
		return nil, errSum
	}
	for i := range n {
		e[low+i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	if e[low] == 0 || e[low+n-1] == 0 || e.negative() {
		return nil, errSum
	}
	if negative {
		*e = new(Exact).minus(e)
	}
	return data[8*n:], nil
}

// minus returns e-o.
func (e *Exact) minus(o *Exact) (d Exact) {
	var borrow uint64
	for i := range d {
		d[i], borrow = bits.Sub64(e[i], o[i], borrow)
	}
	return d
}
