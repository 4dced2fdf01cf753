package calc

import (
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// The cells are the results of a reduction, while values are added to them.
type cells interface {
	start(n, each int)                     // n cells, of each values
	one(cell, at int, data []byte, n int)  // adds n values to one cell; the first is number at of the cell
	each(cell, at int, data []byte, n int) // adds n values to as many cells, one to each; all of them are number at
	passes() int                           // over all values
	next()                                 // ends a pass
	array(shape []int) (*npy.Array, error)
	width(each int) int // the bytes of a cell of each values
	empty() bool        // cells of no values have a result
}

// A reader gives items as float64 or int64.
type reader struct {
	t      dtype.Type
	buffer codec.Buffer
	floats codec.Reals
}

// isCount and isReal report whether items are integers or bools, and whether they are floats. Named types are not computed with here.
func isCount(t dtype.Type) bool {
	k := t.Kind()
	return k == dtype.KindBool || k == dtype.KindInt || k == dtype.KindUint
}

func isReal(t dtype.Type) bool { return elem.KindOf(t) == dtype.KindFloat }

func newReader(t dtype.Type) reader {
	r := reader{t: t}
	if isReal(t) {
		r.floats = codec.RealsOf(t)
	}
	return r
}

// reals returns items as floats.
func (r *reader) reals(data []byte) []float64 {
	if r.floats != nil {
		return r.floats(&r.buffer, data)
	}
	ints := r.integers(data)
	out := make([]float64, len(ints))
	for i, x := range ints {
		if out[i] = float64(x); r.t.Kind() == dtype.KindUint {
			out[i] = float64(uint64(x))
		}
	}
	return out
}

// integers returns integers and bools in 64 bits.
func (r *reader) integers(data []byte) []int64 {
	size := r.t.ItemSize()
	out := make([]int64, len(data)/size)
	big := r.t.ByteOrder() == dtype.BigEndian
	for i := range out {
		x := bulk.Uint(data[i*size:(i+1)*size], big)
		switch {
		case r.t.Kind() == dtype.KindBool:
			x = min(x, 1)
		case r.t.Kind() == dtype.KindInt:
			x = uint64(int64(x<<(64-8*size)) >> (64 - 8*size))
		}
		out[i] = int64(x)
	}
	return out
}

// floatResult returns the dtype of a mean of values of t.
func floatResult(t dtype.Type) dtype.Type {
	if isReal(t) && t.Kind() == dtype.KindFloat && t.ItemSize() < 8 && t.ItemSize() > 1 {
		return t.WithByteOrder(dtype.NativeEndian)
	}
	if isReal(t) && t.Kind() == dtype.KindVoid || t.ItemSize() == 1 && isReal(t) {
		return dtype.Float32
	}
	return dtype.Float64
}

// floatArray returns floats as an array of dtype t.
func floatArray(t dtype.Type, xs []float64, shape []int) (*npy.Array, error) {
	size := t.ItemSize()
	data := bulk.MakeFill[byte](len(xs) * size)
	for i, x := range xs {
		bits := math.Float64bits(x)
		switch size {
		case 2:
			bits = uint64(scalar.Float16FromFloat64(x).Bits)
		case 4:
			bits = uint64(math.Float32bits(float32(x)))
		}
		bulk.PutUint(data[i*size:(i+1)*size], bits, t.ByteOrder() == dtype.BigEndian)
	}
	return npy.FromBytes(t, data, shape...)
}

func intArray(t dtype.Type, xs []int64, shape []int) (*npy.Array, error) {
	size := t.ItemSize()
	data := bulk.MakeFill[byte](len(xs) * size)
	for i, x := range xs {
		bulk.PutUint(data[i*size:(i+1)*size], uint64(x), t.ByteOrder() == dtype.BigEndian)
	}
	return npy.FromBytes(t, data, shape...)
}

// A compensated is a sum with the error that its additions have made so far, as Neumaier's. Values that come one for each cell are first
// added to parts, without compensation, some dozens to each.
type compensated struct {
	sum, rest []float64
	part      []float64 // nil until there are any
	parts     int       // values in all parts
}

// partValues is the mean number of values in a part that is added to its sum.
const partValues = 64

func (c *compensated) start(n int) {
	c.sum, c.rest, c.part, c.parts = make([]float64, n), make([]float64, n), nil, 0
}

// each adds values to as many cells.
func (c *compensated) each(cell int, xs []float64) {
	if c.part == nil {
		c.part = make([]float64, len(c.sum))
	}
	part := c.part[cell : cell+len(xs)]
	for i, x := range xs {
		part[i] += x
	}
	if c.parts += len(xs); c.parts >= partValues*len(c.part) {
		c.settle()
	}
}

// settle adds the parts to the sums.
func (c *compensated) settle() {
	for i, x := range c.part {
		c.add(i, x)
	}
	clear(c.part)
	c.parts = 0
}

func (c *compensated) add(i int, x float64) {
	s := c.sum[i]
	t := s + x
	switch {
	case math.IsInf(t, 0) || t != t:
	case math.Abs(s) >= math.Abs(x):
		c.rest[i] += s - t + x
	default:
		c.rest[i] += x - t + s
	}
	c.sum[i] = t
}

// value returns a sum, after settle.
func (c *compensated) value(i int) float64 { return c.sum[i] + c.rest[i] }

// blockSum returns the sum of some thousand values in eight lanes.
func blockSum(xs []float64) float64 {
	var a, b, c, d, e, f, g, h float64
	for ; len(xs) >= 8; xs = xs[8:] {
		x := xs[:8:8]
		a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
		e, f, g, h = e+x[4], f+x[5], g+x[6], h+x[7]
	}
	out := (a + b + (c + d)) + (e + f + (g + h))
	for _, x := range xs {
		out += x
	}
	return out
}

// sumBlock is the number of values that are summed without compensation.
const sumBlock = 256

// onePass are cells that are complete after one pass.
type onePass struct{}

func (onePass) passes() int { return 1 }
func (onePass) next()       {}
func (onePass) empty() bool { return true }

// A floatSum is the sum or the mean of floats, or the mean of integers.
type floatSum struct {
	onePass
	reader
	compensated
	mean  bool
	count int
}

func sums(t dtype.Type, _ float64) cells {
	switch {
	case isReal(t):
		return &floatSum{reader: newReader(t)}
	case isCount(t):
		return &intSum{reader: newReader(t)}
	}
	return nil
}

func means(t dtype.Type, _ float64) cells {
	if !isReal(t) && !isCount(t) {
		return nil
	}
	return &floatSum{reader: newReader(t), mean: true}
}

func (s *floatSum) start(n, each int) {
	s.compensated.start(n)
	s.count = each
}

func (s *floatSum) width(int) int { return 24 }

func (s *floatSum) one(cell, _ int, data []byte, _ int) {
	for xs := s.reals(data); len(xs) > 0; {
		n := min(len(xs), sumBlock)
		s.add(cell, blockSum(xs[:n]))
		xs = xs[n:]
	}
}

func (s *floatSum) each(cell, _ int, data []byte, _ int) {
	s.compensated.each(cell, s.reals(data))
}

func (s *floatSum) array(shape []int) (*npy.Array, error) {
	s.settle()
	out := make([]float64, len(s.sum))
	for i := range out {
		if out[i] = s.value(i); s.mean {
			out[i] /= float64(s.count)
		}
	}
	return floatArray(floatResult(s.t), out, shape)
}

// An intSum is the sum of integers or bools, or their count.
type intSum struct {
	onePass
	reader
	sum     []int64
	nonzero bool
}

func counts(t dtype.Type, _ float64) cells {
	if !isReal(t) && !isCount(t) {
		return nil
	}
	return &intSum{reader: newReader(t), nonzero: true}
}

func (s *intSum) start(n, _ int) { s.sum = make([]int64, n) }
func (s *intSum) width(int) int  { return 8 }

func (s *intSum) values(data []byte) []int64 {
	if !s.nonzero {
		return s.integers(data)
	}
	xs := s.reals(data)
	out := make([]int64, len(xs))
	for i, x := range xs {
		if x != 0 {
			out[i] = 1
		}
	}
	return out
}

func (s *intSum) one(cell, _ int, data []byte, _ int) {
	for _, x := range s.values(data) {
		s.sum[cell] += x
	}
}

func (s *intSum) each(cell, _ int, data []byte, _ int) {
	for i, x := range s.values(data) {
		s.sum[cell+i] += x
	}
}

func (s *intSum) array(shape []int) (*npy.Array, error) {
	t := dtype.Int64
	if s.t.Kind() == dtype.KindUint && !s.nonzero {
		t = dtype.Uint64
	}
	return intArray(t, s.sum, shape)
}

// An extreme is the smallest or the largest of values, or its position. NaN comes first, as in NumPy.
type extreme struct {
	reader
	largest bool
	where   bool
	has     []bool
	floats  []float64
	ints    []int64
	at      []int64
}

func extremes(largest bool) reduction {
	return func(t dtype.Type, _ float64) cells {
		if !isReal(t) && !isCount(t) {
			return nil
		}
		return &extreme{reader: newReader(t), largest: largest}
	}
}

func positions(largest bool) reduction {
	return func(t dtype.Type, _ float64) cells {
		if !isReal(t) && !isCount(t) {
			return nil
		}
		return &extreme{reader: newReader(t), largest: largest, where: true}
	}
}

func (e *extreme) passes() int   { return 1 }
func (e *extreme) next()         {}
func (e *extreme) empty() bool   { return false }
func (e *extreme) width(int) int { return 17 }

func (e *extreme) start(n, _ int) {
	e.has, e.at = make([]bool, n), make([]int64, n)
	if e.reader.floats != nil {
		e.floats = make([]float64, n)
	} else {
		e.ints = make([]int64, n)
	}
}

// better reports whether a float replaces another.
func (e *extreme) better(x, old float64) bool {
	switch {
	case old != old:
		return false
	case x != x:
		return true
	case e.largest:
		return x > old
	}
	return x < old
}

func (e *extreme) betterInt(x, old int64) bool {
	if e.t.Kind() == dtype.KindUint {
		return e.largest && uint64(x) > uint64(old) || !e.largest && uint64(x) < uint64(old)
	}
	return e.largest && x > old || !e.largest && x < old
}

func (e *extreme) one(cell, at int, data []byte, _ int)  { e.add(cell, 0, at, 1, data) }
func (e *extreme) each(cell, at int, data []byte, _ int) { e.add(cell, 1, at, 0, data) }

// add adds values, whose cells and positions are some steps apart.
func (e *extreme) add(cell, cellStep, at, step int, data []byte) {
	if e.ints != nil {
		for i, x := range e.integers(data) {
			if c := cell + i*cellStep; !e.has[c] || e.betterInt(x, e.ints[c]) {
				e.has[c], e.ints[c], e.at[c] = true, x, int64(at+i*step)
			}
		}
		return
	}
	for i, x := range e.reals(data) {
		if c := cell + i*cellStep; !e.has[c] || e.better(x, e.floats[c]) {
			e.has[c], e.floats[c], e.at[c] = true, x, int64(at+i*step)
		}
	}
}

func (e *extreme) array(shape []int) (*npy.Array, error) {
	switch {
	case e.where:
		return intArray(dtype.Int64, e.at, shape)
	case e.ints != nil:
		return intArray(e.t.WithByteOrder(dtype.NativeEndian), e.ints, shape)
	}
	return floatArray(floatResult(e.t), e.floats, shape)
}

// An anyAll is whether one of the values is true, or each.
type anyAll struct {
	onePass
	reader
	anyOf bool
	out   []int64
}

func logical(anyOf bool) reduction {
	return func(t dtype.Type, _ float64) cells {
		if !isReal(t) && !isCount(t) {
			return nil
		}
		return &anyAll{reader: newReader(t), anyOf: anyOf}
	}
}

func (l *anyAll) width(int) int { return 8 }

func (l *anyAll) start(n, _ int) {
	l.out = make([]int64, n)
	for i := range l.out {
		if !l.anyOf {
			l.out[i] = 1
		}
	}
}

func (l *anyAll) set(cell int, x float64) {
	switch {
	case l.anyOf && x != 0:
		l.out[cell] = 1
	case !l.anyOf && x == 0:
		l.out[cell] = 0
	}
}

func (l *anyAll) one(cell, _ int, data []byte, _ int) {
	for _, x := range l.reals(data) {
		l.set(cell, x)
	}
}

func (l *anyAll) each(cell, _ int, data []byte, _ int) {
	for i, x := range l.reals(data) {
		l.set(cell+i, x)
	}
}

func (l *anyAll) array(shape []int) (*npy.Array, error) { return intArray(dtype.Bool, l.out, shape) }

// A deviation is the variance or the standard deviation: the means in a first pass, and the squares of the distances in a second.
type deviation struct {
	reader
	sums    compensated
	means   []float64
	squares []float64 // of some values
	count   int
	ddof    float64
	root    bool
}

func deviations(root bool) reduction {
	return func(t dtype.Type, ddof float64) cells {
		if !isReal(t) && !isCount(t) {
			return nil
		}
		return &deviation{reader: newReader(t), ddof: ddof, root: root}
	}
}

func (d *deviation) passes() int   { return 2 }
func (d *deviation) empty() bool   { return true }
func (d *deviation) width(int) int { return 32 }

func (d *deviation) start(n, each int) {
	d.sums.start(n)
	d.count = each
}

func (d *deviation) next() {
	d.sums.settle()
	if d.means != nil {
		return
	}
	d.means = make([]float64, len(d.sums.sum))
	for i := range d.means {
		d.means[i] = d.sums.value(i) / float64(d.count)
	}
	d.sums.start(len(d.means))
}

func (d *deviation) one(cell, _ int, data []byte, _ int) {
	for xs := d.reals(data); len(xs) > 0; {
		n := min(len(xs), sumBlock)
		if d.means == nil {
			d.sums.add(cell, blockSum(xs[:n]))
		} else {
			s, m := 0.0, d.means[cell]
			for _, x := range xs[:n] {
				s += (x - m) * (x - m)
			}
			d.sums.add(cell, s)
		}
		xs = xs[n:]
	}
}

func (d *deviation) each(cell, _ int, data []byte, _ int) {
	xs := d.reals(data)
	if d.means != nil {
		d.squares = slices.Grow(d.squares[:0], len(xs))[:len(xs)]
		for i, m := range d.means[cell : cell+len(xs)] {
			d.squares[i] = (xs[i] - m) * (xs[i] - m)
		}
		xs = d.squares
	}
	d.sums.each(cell, xs)
}

func (d *deviation) array(shape []int) (*npy.Array, error) {
	out := make([]float64, len(d.sums.sum))
	for i := range out {
		if out[i] = d.sums.value(i) / max(float64(d.count)-d.ddof, 0); d.root {
			out[i] = math.Sqrt(out[i])
		}
	}
	return floatArray(floatResult(d.t), out, shape)
}

// A median keeps all values of each cell.
type median struct {
	onePass
	reader
	all   []float64
	have  []int
	count int
}

func medians(t dtype.Type, _ float64) cells {
	if !isReal(t) && !isCount(t) {
		return nil
	}
	return &median{reader: newReader(t)}
}

func (m *median) width(each int) int { return 8 + 8*each }

func (m *median) start(n, each int) {
	m.all, m.have, m.count = make([]float64, n*each), make([]int, n), each
}

func (m *median) one(cell, _ int, data []byte, n int) {
	copy(m.all[cell*m.count+m.have[cell]:], m.reals(data))
	m.have[cell] += n
}

func (m *median) each(cell, _ int, data []byte, _ int) {
	for i, x := range m.reals(data) {
		m.all[(cell+i)*m.count+m.have[cell+i]] = x
		m.have[cell+i]++
	}
}

func (m *median) array(shape []int) (*npy.Array, error) {
	out := make([]float64, len(m.have))
	for i := range out {
		xs := m.all[i*m.count : (i+1)*m.count]
		slices.Sort(xs) // NaN comes first
		switch n := len(xs); {
		case n == 0 || xs[0] != xs[0]:
			out[i] = math.NaN()
		case n%2 == 1:
			out[i] = xs[n/2]
		default:
			out[i] = (xs[n/2-1] + xs[n/2]) / 2
		}
	}
	return floatArray(floatResult(m.t), out, shape)
}
