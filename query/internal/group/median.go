package group

import (
	"cmp"
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

// medianBytes is the memory of a value among medians: its group and itself, twice while slices grow, and once more when
// the values are put into the order of their groups.
const medianBytes = 2*(4+8) + 8

// medians are the values of each group: float64 of real numbers, int64 of times.
type medians[T float64 | int64] struct {
	at     fields.Place
	skip   bool
	read   func(data []byte, rows, size int) []T
	absent func(x T) bool // NaN or NaT

	groups []uint32 // of each value
	values []T
	spoilt []bool // groups with NaN or NaT
	starts []int  // of the values of each group, when they are in the order of the groups
}

// newMedians returns the function that makes an aggregate for one chunk, or nil for dtypes without a median.
func newMedians(at fields.Place, skip bool) func() aggregate {
	t := at.DType
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	if t.IsStruct() || t.IsSubarray() {
		return nil
	}
	if kind := elem.KindOf(t); kind == dtype.KindDatetime || kind == dtype.KindTimedelta {
		load := sortkey.UintOf(size, big)
		return func() aggregate {
			var times []int64
			return &medians[int64]{at: at, skip: skip, absent: func(x int64) bool { return x == math.MinInt64 },
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
		return &medians[float64]{at: at, skip: skip, absent: func(x float64) bool { return x != x },
			read: func(data []byte, rows, row int) []float64 { return reals(&buf, at.Items(&items, data, rows, row)) }}
	}
}

func (m *medians[T]) add(ids []uint32, n int, data []byte, size int) {
	m.spoilt = extend(m.spoilt, n)
	for i, x := range m.read(data, len(ids), size) {
		if !m.absent(x) {
			m.groups, m.values = append(m.groups, ids[i]), append(m.values, x)
		} else if !m.skip {
			m.spoilt[ids[i]] = true
		}
	}
}

func (m *medians[T]) merge(later aggregate, ids []uint32, n int) {
	m.spoilt = extend(m.spoilt, n)
	d := later.(*medians[T])
	for _, g := range d.groups {
		m.groups = append(m.groups, ids[g])
	}
	m.values = append(m.values, d.values...)
	for i, id := range ids {
		m.spoilt[id] = m.spoilt[id] || d.spoilt[i]
	}
}

// arrange puts the values into the order of their groups.
func (m *medians[T]) arrange() {
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

func (m *medians[T]) put(item []byte, group int) error {
	if m.starts == nil {
		m.arrange()
	}
	values := m.values[m.starts[group]:m.starts[group+1]]
	if len(values) == 0 || m.spoilt[group] {
		return sortkey.PutMissing(item, m.dtype())
	}
	slices.SortFunc(values, cmp.Compare[T])
	low, high := values[(len(values)-1)/2], values[len(values)/2]
	switch low := any(low).(type) {
	case float64:
		binary.NativeEndian.PutUint64(item, math.Float64bits(middle(low, any(high).(float64))))
	case int64:
		distance := uint64(any(high).(int64)) - uint64(low) // which may be more than an int64
		bulk.PutUint(item, uint64(low)+distance/2, m.at.DType.ByteOrder() == dtype.BigEndian)
	}
	return nil
}

// middle returns the mean of two ordered numbers, as numpy.median.
func middle(low, high float64) float64 {
	if low == high {
		return low // infinities too
	}
	return (low + high) / 2
}

func (m *medians[T]) dtype() dtype.Type {
	var x T
	if _, ok := any(x).(float64); ok {
		return dtype.Float64
	}
	return m.at.DType
}

func (m *medians[T]) bytes() int { return 1 + 2*8 }

// bytesOfRow returns the memory of a row.
func (m *medians[T]) bytesOfRow() int { return medianBytes }
