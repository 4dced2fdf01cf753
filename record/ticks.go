package record

import (
	"reflect"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/scalar"
)

// ticks is the column of a scalar.Datetime64 or scalar.Timedelta64 whose tag gives another step than the dtype of the
// file. Times of a coarser step are converted when they are read. No other step is written: whether a time is a whole
// number of steps depends on its value, and a program would fail on the first time that is not.
type ticks[E scalar.Tick] struct {
	values[E]
	tagged dtype.Type
}

// A taggedColumn is a column whose Go field has a dtype in its tag.
type taggedColumn interface{ dtype() dtype.Type }

func (c ticks[E]) with(casting npy.Casting) column {
	return ticks[E]{values[E]{casting}, c.tagged}
}

func (c ticks[E]) dtype() dtype.Type { return c.tagged }

// reads rejects times without a unit in the file or in the tag, because they equal no time with a unit.
func (c ticks[E]) reads(t dtype.Type) bool {
	kind := codec.Of[E]().DType().Kind()
	if t.Kind() != kind || c.tagged.Kind() != kind || t.Step().Unit == dtype.Generic || c.tagged.Step().Unit == dtype.Generic {
		return false
	}
	a, err := npy.New(t, 0)
	if err == nil {
		_, err = a.Cast(c.tagged, c.casting)
	}
	return err == nil
}

func (ticks[E]) writes(dtype.Type) bool { return false }

func (c ticks[E]) load(l *leaf, s reflect.Value, first, n int, records []byte, size int) error {
	a, err := npy.FromStrides(l.dtype, records[:n*size], l.start, l.shape(n), l.steps(size))
	if err != nil {
		return err
	}
	if a, err = a.Cast(c.tagged, c.casting); err != nil {
		return onlyElement(err, n*l.at.Count())
	}
	data, err := elementsOf[E](a, npy.SafeCasting)
	if err != nil {
		return err
	}
	bulk.Scatter(s, first, n, l.at, data)
	return nil
}

// sameTicks reports whether times of both dtypes have the same step.
func sameTicks(a, b dtype.Type) bool { return a.Kind() == b.Kind() && a.Step() == b.Step() }

// isInteger reports whether t is a plain integer.
func isInteger(t dtype.Type) bool { return t.Kind() == dtype.KindInt || t.Kind() == dtype.KindUint }

// goTime names the Go type that holds times of every step.
func goTime(d dtype.Type) string {
	if d.Kind() == dtype.KindTimedelta {
		return "time.Duration"
	}
	return "time.Time"
}
