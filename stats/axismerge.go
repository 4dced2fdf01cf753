package stats

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/moments"
)

// Merge adds the summary of another piece of an array, cut along the axes that are summarised: both have the same dtype,
// the same results and wants, and all of their data. other is unchanged.
//
// The result does not depend on the order and the groups of merging, down to the last bit. Sums of floats are added
// exactly, once each piece has summed its own with the digits of two float64. The memory of merged floats is some 40 bytes
// for each sum, and 60 for each standard deviation.
//
// Pieces that do not fit are an error, and so are missing bytes, which wrap [io.ErrUnexpectedEOF]. After an error acc is
// unchanged.
func (acc *AxisAccumulator) Merge(other *AxisAccumulator) error {
	if acc.cells == nil || other.cells == nil || !acc.h.DType.Equal(other.h.DType) || acc.h.FortranOrder != other.h.FortranOrder || !slices.Equal(acc.shape, other.shape) || acc.want != other.want {
		return errors.New("stats: cannot merge summaries along axes: their dtypes, orders, results or wants differ")
	}
	for _, a := range []*AxisAccumulator{acc, other} {
		if err := a.complete(); err != nil {
			return err
		}
	}
	if acc.each > maxItems-other.each {
		return bounded.Over("", 0, 0, "stats: %d and %d elements of a result are more than can be counted", acc.each, other.each)
	}
	acc.cells.merge(other.cells, acc.each, other.each)
	acc.each += other.each
	return nil
}

// Append adds the results of other pieces of an array, which follow acc's along their first axis. The array is cut
// along the first axis that is not summarised, in the order of the file. The pieces have the same dtype, the same wants and all
// of their data, and results of the same shape but for the first axis. The others are unchanged.
//
// Pieces that do not fit are an error, and so are missing bytes, which wrap [io.ErrUnexpectedEOF]. After an error acc is
// unchanged.
func (acc *AxisAccumulator) Append(others ...*AxisAccumulator) error {
	all := append([]*AxisAccumulator{acc}, others...)
	rows := 0
	for _, a := range all {
		if a.cells == nil || !a.h.DType.Equal(acc.h.DType) || a.h.FortranOrder != acc.h.FortranOrder || a.want != acc.want || a.each != acc.each || len(a.shape) == 0 || len(a.shape) != len(acc.shape) || !slices.Equal(a.shape[1:], acc.shape[1:]) {
			return errors.New("stats: cannot append summaries along axes: their dtypes, orders, shapes or wants differ")
		}
		if err := a.complete(); err != nil {
			return err
		}
		if rows > math.MaxInt32-a.shape[0] {
			return bounded.Over("", 0, 0, "stats: over %d results along an axis", math.MaxInt32)
		}
		rows += a.shape[0]
	}
	out, err := acc.appendHead(append([]int{rows}, acc.shape[1:]...))
	if err != nil {
		return err
	}
	for _, a := range all {
		out = a.cells.appendTo(out, a.each)
	}
	return acc.UnmarshalBinary(out)
}

// exacts reads the exact sums of cells, one after the other.
type exacts struct {
	c    *floatCells
	rest state // of the merged cells
	n    int64 // elements of a cell
}

func (c *floatCells) exacts(n int64) *exacts { return &exacts{c: c, rest: state{data: c.merged}, n: n} }

// next returns the sums of cell i, which must be the one after the last.
func (e *exacts) next(i int) *moments.Sums {
	n := e.n - e.c.missing.of(i)
	if e.c.merged != nil {
		return e.rest.sums(n)
	}
	return e.c.moments.Exact(i, n)
}

func (c *floatCells) merge(other cells, n, on int64) {
	o := other.(*floatCells)
	if c.want.sums() {
		a, b := c.exacts(n), o.exacts(on)
		merged := []byte{}
		for i := range c.missing.cells {
			s := a.next(i)
			s.Merge(b.next(i))
			merged = appendSums(merged, s)
		}
		c.merged, c.moments = merged, nil
	}
	for i := range c.min {
		c.min[i] = min(c.min[i], o.min[i])
	}
	for i := range c.max {
		c.max[i] = max(c.max[i], o.max[i])
	}
	c.missing.merge(&o.missing)
}

func (m *missing) merge(o *missing) {
	for i := range m.cells {
		m.add(i, o.of(i))
	}
}

func (c *intCells) merge(other cells, _, _ int64) {
	o := other.(*intCells)
	for i := range c.missing.cells {
		var f facts
		if c.sums != nil {
			f.sum = c.sums[i]
			f.addSum(o.sums[i])
			c.sums[i] = f.sum
		}
		if c.squares != nil {
			f.squares = c.squares[i]
			f.addSquares(o.squares[i])
			c.squares[i] = f.squares
		}
		if c.min != nil {
			c.min[i] = min(c.min[i], o.min[i])
		}
		if c.max != nil {
			c.max[i] = max(c.max[i], o.max[i])
		}
	}
	c.missing.merge(&o.missing)
}

// axisMagic begins the bytes of an AxisAccumulator. The last byte is the version.
const axisMagic = "npyaxis\x01"

// bits returns the wants as bits.
func (a Along) bits() (bits int64) {
	for i, want := range []bool{a.Mean, a.Std, a.Min, a.Max, a.Sum} {
		bits |= boolInt(want) << i
	}
	return bits
}

func alongOf(bits int64) Along {
	return Along{Mean: bits&1 > 0, Std: bits&2 > 0, Min: bits&4 > 0, Max: bits&8 > 0, Sum: bits&16 > 0}
}

// MarshalBinary returns the summary of all data of a piece, some 20 bytes for each result that is wanted. Missing bytes
// are an error that wraps [io.ErrUnexpectedEOF]. The bytes begin with a version.
func (acc *AxisAccumulator) MarshalBinary() ([]byte, error) {
	if acc.cells == nil {
		return nil, errors.New("stats: this AxisAccumulator has no dtype: make it with NewAxis")
	}
	if err := acc.complete(); err != nil {
		return nil, err
	}
	out, err := acc.appendHead(acc.shape)
	if err != nil {
		return nil, err
	}
	return acc.cells.appendTo(out, acc.each), nil
}

// appendHead returns the bytes before the cells of results of a shape.
func (acc *AxisAccumulator) appendHead(shape []int) ([]byte, error) {
	out, err := appendType([]byte(axisMagic), acc.h.DType)
	if err != nil {
		return nil, err
	}
	for _, n := range []int64{acc.want, boolInt(acc.h.FortranOrder), acc.each, int64(len(shape))} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	for _, n := range shape {
		out = binary.AppendUvarint(out, uint64(n))
	}
	return out, nil
}

// UnmarshalBinary replaces acc by the state that MarshalBinary returned; acc may be the zero AxisAccumulator. Other bytes
// are an error, after which acc is unchanged. Bytes from an untrusted source cannot do more harm than to give wrong
// statistics: they allocate memory in proportion to their number, and no later call panics.
func (acc *AxisAccumulator) UnmarshalBinary(data []byte) error {
	s := state{data: data}
	if head := s.bytes(len(axisMagic)); string(head) != axisMagic {
		return errors.New("stats: these are not the bytes of an AxisAccumulator, or a later version of this package wrote them")
	}
	t, err := s.dtype()
	if err != nil {
		return err
	}
	read := &AxisAccumulator{want: s.count(31)}
	read.h.DType, read.h.FortranOrder = t, s.count(1) == 1
	read.each = s.count(maxItems)
	read.shape = make([]int, s.count(int64(min(len(s.data), 64))))
	read.results = 1
	for i := range read.shape {
		read.shape[i] = int(s.count(math.MaxInt32))
		results, ok := bounded.Mul(read.results, read.shape[i])
		s.check(ok)
		read.results = results
	}
	read.cells = cellsFor(t, alongOf(read.want))
	if read.cells == nil || read.results > len(s.data) || read.want == 0 { // each cell has a byte at least
		return errState
	}
	read.cells.grow(read.results, read.results)
	if read.cells.parse(&s, read.each); s.bad || len(s.data) > 0 {
		return errState
	}
	*acc = *read
	return nil
}

// appendType appends the length and the text of a dtype.
func appendType(dst []byte, t dtype.Type) ([]byte, error) {
	text, err := t.MarshalText()
	if err != nil {
		return nil, fmt.Errorf("stats: %w", err)
	}
	if again, err := dtype.Parse(string(text)); err != nil || !again.Equal(t) || len(text) > maxState {
		return nil, fmt.Errorf("stats: dtype %.100s cannot be written as a text of up to %d bytes", t, maxState)
	}
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...), nil
}

// dtype reads what appendType appended.
func (s *state) dtype() (dtype.Type, error) {
	text := s.bytes(int(s.count(maxState)))
	if s.bad {
		return dtype.Type{}, errState
	}
	t, err := dtype.Parse(string(text))
	if err != nil {
		return t, fmt.Errorf("stats: the dtype of an Accumulator: %w", err)
	}
	return t, nil
}

func (c *floatCells) appendTo(dst []byte, n int64) []byte {
	all := c.exacts(n)
	for i := range c.missing.cells {
		dst = binary.AppendUvarint(dst, uint64(c.missing.of(i)))
		if c.min != nil {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(c.min[i]))
		}
		if c.max != nil {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(c.max[i]))
		}
		if c.want.sums() {
			dst = appendSums(dst, all.next(i))
		}
	}
	return dst
}

func (c *floatCells) parse(s *state, n int64) {
	c.merged, c.moments = []byte{}, nil
	for i := range c.missing.cells {
		c.missing.add(i, s.count(n))
		if c.min != nil {
			c.min[i] = s.float()
			s.check(c.min[i] == c.min[i])
		}
		if c.max != nil {
			c.max[i] = s.float()
			s.check(c.max[i] == c.max[i])
		}
		if c.want.sums() {
			c.merged = appendSums(c.merged, s.sums(n-c.missing.of(i)))
		}
		if s.bad {
			return
		}
	}
}

func (c *intCells) appendTo(dst []byte, _ int64) []byte {
	for i := range c.missing.cells {
		dst = binary.AppendUvarint(dst, uint64(c.missing.of(i)))
		if c.min != nil {
			dst = binary.AppendVarint(dst, c.min[i])
		}
		if c.max != nil {
			dst = binary.AppendVarint(dst, c.max[i])
		}
		if c.sums != nil {
			dst = binary.AppendUvarint(binary.AppendUvarint(dst, c.sums[i][0]), c.sums[i][1])
		}
		if c.squares != nil {
			for _, w := range c.squares[i] {
				dst = binary.AppendUvarint(dst, w)
			}
		}
	}
	return dst
}

// parse checks sums as state.integers does, with the extremes of 64 bits.
func (c *intCells) parse(s *state, n int64) {
	low, high := big.NewInt(math.MinInt64+1), new(big.Int).SetUint64(math.MaxUint64)
	if hasTicks(c.t) {
		high.SetInt64(math.MaxInt64)
	} else {
		low.SetInt64(math.MinInt64)
	}
	for i := range c.missing.cells {
		if c.missing.add(i, s.count(n)); !hasTicks(c.t) {
			s.check(c.missing.of(i) == 0)
		}
		if c.min != nil {
			c.min[i] = s.int()
		}
		if c.max != nil {
			c.max[i] = s.int()
		}
		times := big.NewInt(n - c.missing.of(i))
		var sum *big.Int
		if c.sums != nil {
			c.sums[i] = [2]uint64{s.uint(), s.uint()}
			sum = bigOf(c.sums[i][:], true)
			s.check(sum.Cmp(new(big.Int).Mul(low, times)) >= 0 && sum.Cmp(new(big.Int).Mul(high, times)) <= 0)
		}
		if c.squares != nil {
			c.squares[i] = [3]uint64{s.uint(), s.uint(), s.uint()}
			squares := bigOf(c.squares[i][:], false)
			s.check(squares.BitLen() <= 190 && times.Mul(squares, times).Cmp(sum.Mul(sum, sum)) >= 0)
		}
		if s.bad {
			return
		}
	}
}
