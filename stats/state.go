package stats

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/scalar"
)

// stateMagic begins the bytes of an Accumulator. The last byte is the version.
const stateMagic = "npystat\x01"

// maxState limits the length of the text of a dtype.
const maxState = format.DefaultMaxHeader

// MarshalBinary returns the state of acc: some hundred bytes for each field, however many elements were added. It does
// not hold the elements of an incomplete block but their summary, so that elements added later begin a block. Data that
// ends within an element is an error that wraps [io.ErrUnexpectedEOF].
//
// The bytes begin with a version. Later versions of this package read the states of earlier ones.
func (acc *Accumulator) MarshalBinary() ([]byte, error) {
	if !acc.t.IsValid() {
		return nil, errors.New("stats: this Accumulator has no dtype: make it with New")
	}
	elems, err := acc.elements()
	if err != nil {
		return nil, err
	}
	out, err := appendType([]byte(stateMagic), acc.t)
	if err != nil {
		return nil, err
	}
	out = binary.AppendUvarint(out, uint64(elems))
	out = binary.AppendUvarint(out, uint64(acc.next+elems-acc.elems))
	for i, total := range acc.totals() {
		out = total.appendTo(out, acc.columns[i])
	}
	return out, nil
}

// UnmarshalBinary replaces acc by the state that MarshalBinary returned, including the dtype: acc may be the zero
// Accumulator. Other bytes are an error, after which acc is unchanged. Bytes from an untrusted source cannot do more
// harm than to give wrong statistics: they allocate memory in proportion to their number, and no later call panics.
func (acc *Accumulator) UnmarshalBinary(data []byte) error {
	s := state{data: data}
	if head := s.bytes(len(stateMagic)); string(head) != stateMagic {
		return errors.New("stats: these are not the bytes of an Accumulator, or a later version of this package wrote them")
	}
	t, err := s.dtype()
	if err != nil {
		return err
	}
	read, err := New(t)
	if err != nil {
		return err
	}
	most := read.mostElements()
	read.elems, read.next = s.count(most), s.count(most)
	for i, c := range read.columns {
		s.total(&read.total[i], c, read.elems)
	}
	if s.bad || len(s.data) > 0 {
		return errState
	}
	*acc = *read
	return nil
}

var errState = errors.New("stats: the bytes of an Accumulator are damaged or cut short")

// A state is the unread rest of the bytes of an Accumulator. After bytes that MarshalBinary cannot have written, bad is
// set, and all numbers are 0.
type state struct {
	data []byte
	bad  bool
}

// appendTo appends the total of a column.
func (t *total) appendTo(dst []byte, c column) []byte {
	if c.size == 0 || c.items == 0 {
		return dst
	}
	count := func(ns ...int64) {
		for _, n := range ns {
			dst = binary.AppendUvarint(dst, uint64(n))
		}
	}
	words := func(ws ...uint64) {
		for _, w := range ws {
			dst = binary.AppendUvarint(dst, w)
		}
	}
	switch kind := elem.KindOf(c.DType); kind {
	case dtype.KindBytes, dtype.KindStr:
		count(t.empty, int64(t.minLen), int64(t.maxLen))
	case dtype.KindBool:
		count(t.zeros)
	case dtype.KindInt, dtype.KindUint, dtype.KindDatetime, dtype.KindTimedelta:
		count(t.nats, t.zeros)
		if t.count == t.nats {
			break
		}
		dst = binary.AppendVarint(binary.AppendVarint(dst, t.imin), t.imax)
		count(t.minAt, t.maxAt)
		if words(t.sum[:]...); !hasTicks(c.DType) {
			words(t.squares[:]...)
		}
	case dtype.KindFloat, dtype.KindComplex:
		count(t.nans, t.zeros)
		if t.count == t.nans {
			break
		}
		if kind == dtype.KindComplex {
			count(t.infs)
			return appendSums(appendSums(dst, t.re), t.im)
		}
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(t.fmin))
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(t.fmax))
		count(t.minAt, t.maxAt)
		dst = appendSums(dst, t.re)
	}
	return dst
}

func appendSums(dst []byte, s *moments.Sums) []byte {
	dst = binary.AppendUvarint(dst, uint64(s.PosInf))
	dst = binary.AppendUvarint(dst, uint64(s.NegInf))
	dst = append(dst, byte(boolInt(s.Wide)))
	return s.Squares.AppendTo(s.Sum.AppendTo(dst))
}

// total reads the bytes of total.appendTo.
func (s *state) total(t *total, c column, elems int64) {
	if c.size == 0 || c.items == 0 {
		return
	}
	t.count = elems * c.items
	switch kind := elem.KindOf(c.DType); kind {
	case dtype.KindBytes, dtype.KindStr:
		t.empty, t.minLen, t.maxLen = s.count(t.count), int(s.count(int64(c.size))), int(s.count(int64(c.size)))
		s.check(t.minLen <= t.maxLen)
	case dtype.KindBool:
		t.zeros = s.count(t.count)
		trues := uint64(t.count - t.zeros)
		t.sum[0], t.squares[0] = trues, trues
	case dtype.KindInt, dtype.KindUint, dtype.KindDatetime, dtype.KindTimedelta:
		if t.nats = s.count(t.count); !hasTicks(c.DType) {
			s.check(t.nats == 0)
		}
		t.zeros = s.count(t.count - t.nats)
		if n := t.count - t.nats; n > 0 {
			s.integers(&t.facts, c.DType, n)
		}
	case dtype.KindFloat, dtype.KindComplex:
		t.nans = s.count(t.count)
		n := t.count - t.nans
		t.zeros = s.count(n)
		switch {
		case n == 0:
		case kind == dtype.KindComplex:
			t.infs = s.count(n)
			t.re, t.im = s.sums(n), s.sums(n)
		default:
			t.fmin, t.fmax, t.known = s.float(), s.float(), true
			s.check(t.fmin <= t.fmax)
			t.minAt, t.maxAt = s.count(math.MaxInt64), s.count(math.MaxInt64)
			t.re = s.sums(n)
			t.infs = t.re.PosInf + t.re.NegInf
		}
	}
}

// integers reads the extremes and sums of n integers or times. Their sum lies between n times the extremes, and no sum
// of squares is less than the sum of n squared means: else the mean would be beyond 64 bits, and the variance negative.
func (s *state) integers(t *facts, dt dtype.Type, n int64) {
	t.imin, t.imax, t.known = s.int(), s.int(), true
	t.minAt, t.maxAt = s.count(math.MaxInt64), s.count(math.MaxInt64)
	for i := range t.sum {
		t.sum[i] = s.uint()
	}
	times, low, high := big.NewInt(n), bigExtreme(dt, t.imin), bigExtreme(dt, t.imax)
	sum := bigOf(t.sum[:], true)
	s.check(sum.Cmp(low.Mul(low, times)) >= 0 && sum.Cmp(high.Mul(high, times)) <= 0)
	if hasTicks(dt) {
		s.check(t.imin != scalar.NaT)
		return
	}
	for i := range t.squares {
		t.squares[i] = s.uint()
	}
	squares := bigOf(t.squares[:], false)
	s.check(squares.Mul(squares, times).Cmp(sum.Mul(sum, sum)) >= 0)
}

// sums reads the sums of n floats.
func (s *state) sums(n int64) *moments.Sums {
	out := &moments.Sums{PosInf: s.count(n)}
	out.NegInf = s.count(n - out.PosInf)
	out.N = n - out.PosInf - out.NegInf
	out.Wide = s.count(1) == 1
	for _, e := range []*moments.Exact{&out.Sum, &out.Squares} {
		rest, err := e.Parse(s.data)
		s.check(err == nil)
		s.data = rest
	}
	return out
}

func (s *state) check(ok bool) {
	if !ok {
		s.bad, s.data = true, nil
	}
}

// bytes reads the next n bytes.
func (s *state) bytes(n int) []byte {
	if s.check(n <= len(s.data)); s.bad {
		return nil
	}
	b := s.data[:n]
	s.data = s.data[n:]
	return b
}

func (s *state) uint() uint64 {
	x, n := binary.Uvarint(s.data)
	if s.check(n > 0); s.bad {
		return 0
	}
	s.data = s.data[n:]
	return x
}

// count reads a number from 0 to most.
func (s *state) count(most int64) int64 {
	x := s.uint()
	if s.check(x <= uint64(most)); s.bad {
		return 0
	}
	return int64(x)
}

func (s *state) int() int64 {
	x, n := binary.Varint(s.data)
	if s.check(n > 0); s.bad {
		return 0
	}
	s.data = s.data[n:]
	return x
}

func (s *state) float() float64 {
	b := s.bytes(8)
	if s.bad {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}
