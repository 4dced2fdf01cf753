package group

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/sortkey"
)

// valueBytes is the memory of a value among quantiles: its group and itself, twice while slices grow, and once more when
// the values are put into the order of their groups.
const valueBytes = 2*(4+8) + 8

// median is the quantile that is computed as numpy.median: the mean of the two values in the middle.
const median = -1

// quantiles are the values of each group: float64 of real numbers, int64 of times.
type quantiles[T float64 | int64] struct {
	q      float64 // from 0 to 1, or median
	at     fields.Place
	skip   bool
	read   func(data []byte, rows, size int) []T
	absent func(x T) bool // NaN or NaT

	groups []uint32 // of each value
	values []T
	spoilt []bool // groups with NaN or NaT
	starts []int  // of the values of each group, when they are in the order of the groups
}

// newQuantiles returns the function that makes an aggregate for one chunk, or nil for dtypes without quantiles.
func newQuantiles(q float64, at fields.Place, skip bool) func() aggregate {
	t := at.DType
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	if t.IsStruct() || t.IsSubarray() {
		return nil
	}
	if kind := elem.KindOf(t); kind == dtype.KindDatetime || kind == dtype.KindTimedelta {
		load := sortkey.UintOf(size, big)
		return func() aggregate {
			var times []int64
			return &quantiles[int64]{q: q, at: at, skip: skip, absent: func(x int64) bool { return x == math.MinInt64 },
				read: func(data []byte, rows, row int) []int64 {
					times = slices.Grow(times[:0], rows)[:rows]
					for i := range times {
						times[i] = int64(load(data[i*row+at.Offset:][:size]))
					}
					return times
				}}
		}
	}
	reals := codec.RealsOf(t)
	if reals == nil {
		return nil
	}
	return func() aggregate {
		var buf codec.Buffer
		var items []byte
		return &quantiles[float64]{q: q, at: at, skip: skip, absent: func(x float64) bool { return x != x },
			read: func(data []byte, rows, row int) []float64 { return reals(&buf, at.Items(&items, data, rows, row)) }}
	}
}

func (m *quantiles[T]) add(b batch) {
	m.spoilt = extend(m.spoilt, b.groups)
	for i, x := range m.read(b.data, len(b.ids), b.size) {
		if !m.absent(x) {
			m.groups, m.values = append(m.groups, b.ids[i]), append(m.values, x)
		} else if !m.skip {
			m.spoilt[b.ids[i]] = true
		}
	}
}

func (m *quantiles[T]) merge(later aggregate, ids []uint32, n int) {
	m.spoilt = extend(m.spoilt, n)
	d := later.(*quantiles[T])
	for _, g := range d.groups {
		m.groups = append(m.groups, ids[g])
	}
	m.values = append(m.values, d.values...)
	for i, id := range ids {
		m.spoilt[id] = m.spoilt[id] || d.spoilt[i]
	}
}

// arrange puts the values into the order of their groups.
func (m *quantiles[T]) arrange() {
	m.starts = make([]int, len(m.spoilt)+1)
	for _, g := range m.groups {
		m.starts[g+1]++
	}
	for g := range m.spoilt {
		m.starts[g+1] += m.starts[g]
	}
	at := slices.Clone(m.starts)
	values := make([]T, len(m.values))
	for i, g := range m.groups {
		values[at[g]] = m.values[i]
		at[g]++
	}
	m.groups, m.values = nil, values
}

func (m *quantiles[T]) put(item []byte, group int) error {
	if m.starts == nil {
		m.arrange()
	}
	values := m.values[m.starts[group]:m.starts[group+1]]
	if len(values) == 0 || m.spoilt[group] {
		return sortkey.PutMissing(item, m.dtype())
	}
	slices.Sort(values)
	low, high, share := m.around(values)
	switch low := any(low).(type) {
	case float64:
		binary.NativeEndian.PutUint64(item, math.Float64bits(m.between(low, any(high).(float64), share)))
	case int64:
		bulk.PutUint(item, m.timeBetween(uint64(low), uint64(any(high).(int64)), share), m.at.DType.ByteOrder() == dtype.BigEndian)
	}
	return nil
}

// around returns the ordered values next to the quantile, and how far it is from the first to the second, from 0 to 1.
func (m *quantiles[T]) around(values []T) (low, high T, share float64) {
	if m.q == median {
		return values[(len(values)-1)/2], values[len(values)/2], 0.5
	}
	place := float64(len(values)-1) * m.q
	i := int(place)
	return values[i], values[min(i+1, len(values)-1)], place - float64(i)
}

// between interpolates as numpy.median does, or as numpy.quantile, which is exact at both ends.
func (m *quantiles[T]) between(a, b, share float64) float64 {
	switch {
	case a == b || share == 0:
		return a // infinities too
	case m.q == median:
		return (a + b) / 2
	case share >= 0.5:
		return b - float64((b-a)*(1-share))
	}
	return a + float64((b-a)*share)
}

// timeBetween interpolates by whole ticks. The product of a timedelta64 and a float is rounded towards zero in numpy.quantile.
func (m *quantiles[T]) timeBetween(a, b uint64, share float64) uint64 {
	distance := b - a // which may be more than an int64
	switch {
	case m.q == median:
		return a + distance/2
	case share >= 0.5:
		return b - ticksOf(distance, 1-share)
	}
	return a + ticksOf(distance, share)
}

// ticksOf returns share*span without its fraction. A product beyond the span, which rounding can give, becomes the span.
func ticksOf(span uint64, share float64) uint64 {
	if p := float64(span) * share; p < math.MaxUint64 {
		return min(uint64(p), span)
	}
	return span
}

func (m *quantiles[T]) dtype() dtype.Type {
	var x T
	if _, ok := any(x).(float64); ok {
		return dtype.Float64
	}
	return m.at.DType
}

func (m *quantiles[T]) bytes() int { return 1 + 2*8 }

// bytesOfRow returns the memory of a row.
func (m *quantiles[T]) bytesOfRow() int { return valueBytes }
