package npy

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/source"
	"github.com/npygo/npy/scalar"
)

// Ticks are the elements of datetime64 and timedelta64 arrays: counts of steps. The dtype has the step, the Go type
// does not. The functions in this file combine ticks and step.

// LoadTimes reads the moments of a datetime64 file in C order, in UTC, and the shape of the array. valid[i] reports
// whether times[i] is a moment; if it is NaT, NumPy's not-a-time, times[i] is the zero Time. The generic unit has no
// moments and is a [*TypeError], as is every other dtype. A time.Time has nanoseconds, and a range of 292 billion
// years. The error for a moment that it cannot hold exactly names the element and wraps [scalar.ErrInexact] or
// [scalar.ErrRange].
//
// [Array.ToTimes] converts an array, such as one from a stream or an archive, and [LoadTicks] gives counts of a unit.
func LoadTimes(path string) (times []time.Time, valid []bool, shape []int, err error) {
	ticks, t, shape, err := loadTicks[scalar.Datetime64](path, isMoment)
	if err == nil {
		times, valid, err = fromTicks(t, ticks, scalar.Datetime64.Time)
	}
	if err != nil {
		return nil, nil, nil, loadError(path, err)
	}
	return times, valid, shape, nil
}

// LoadDurations reads a timedelta64 file as [LoadTimes] reads datetime64. Years, months and the generic unit have no
// fixed length and are a [*TypeError]. A time.Duration has nanoseconds, and a range of 292 years.
func LoadDurations(path string) (durations []time.Duration, valid []bool, shape []int, err error) {
	ticks, t, shape, err := loadTicks[scalar.Timedelta64](path, isDuration)
	if err == nil {
		durations, valid, err = fromTicks(t, ticks, scalar.Timedelta64.Duration)
	}
	if err != nil {
		return nil, nil, nil, loadError(path, err)
	}
	return durations, valid, shape, nil
}

// LoadTicks reads the times of a file in C order as counts of a step of the caller's choice, and the shape of the
// array. T must be [scalar.Datetime64] or [scalar.Timedelta64], like the dtype of the file. A file of a coarser unit
// is converted, seconds to milliseconds for example. A file whose times may not be whole numbers of steps is a
// [*TypeError]. So is a file without a unit, unless the step has none either. A time that does not fit in 64 bits in
// the step is an error that names the element and wraps [scalar.ErrRange]. NaT stays NaT. [Array.AsType] with [As]
// converts an array.
func LoadTicks[T scalar.Tick](path string, step dtype.Step) (ticks []T, shape []int, err error) {
	to := stepped[T](step)
	ticks, t, shape, err := loadTicks[T](path, func(t dtype.Type) error {
		if t.Kind() != to.Kind() || t.Step() == step {
			return nil
		}
		if _, err := cast.For(t, to, cast.Safe); err != nil || cast.IsGeneric(t) {
			return typeError[T](t, fmt.Sprintf("the times need not be whole numbers of %s; ask for %s, or use LoadTimes or Cast", step, t.Step()))
		}
		return nil
	})
	if err == nil && t.Step() != step {
		err = convertTicks(ticks, t, to)
	}
	if err != nil {
		return nil, nil, loadError(path, err)
	}
	return ticks, shape, nil
}

// ToTimes returns the moments of a datetime64 array in C order, as [LoadTimes] does for a file. They share no memory with a.
func (a *Array) ToTimes() (times []time.Time, valid []bool, err error) {
	ticks, err := toTicks[scalar.Datetime64](a, isMoment)
	if err != nil {
		return nil, nil, err
	}
	return fromTicks(a.nd.DType, ticks, scalar.Datetime64.Time)
}

// ToDurations returns the durations of a timedelta64 array in C order, as [LoadDurations] does for a file. They share no
// memory with a.
func (a *Array) ToDurations() (durations []time.Duration, valid []bool, err error) {
	ticks, err := toTicks[scalar.Timedelta64](a, isDuration)
	if err != nil {
		return nil, nil, err
	}
	return fromTicks(a.nd.DType, ticks, scalar.Timedelta64.Duration)
}

// FromTimes returns a datetime64 array of dtype t, which has the unit. Elements become NaT where valid is false; a
// nil valid means that all are moments. Without a shape the array has one dimension. A moment that is not a whole
// number of steps, or too far away for 64 bits, is an error that names the element and wraps [scalar.ErrInexact] or
// [scalar.ErrRange]. Any other dtype, and a datetime64 without a unit, is a [*TypeError].
func FromTimes(t dtype.Type, times []time.Time, valid []bool, shape ...int) (*Array, error) {
	if err := isMoment(t); err != nil {
		return nil, err
	}
	step := t.Step()
	return fromValues(t, times, valid, shape, func(x time.Time) (scalar.Datetime64, error) {
		n, err := scalar.Datetime64FromTime(x, step)
		if err != nil {
			return scalar.Datetime64{}, err
		}
		if back, err := n.Time(step); err != nil || !back.Equal(x) {
			return scalar.Datetime64{}, &scalar.RangeError{Value: x.String(), Type: "time.Time", Target: t.Name(), Err: scalar.ErrInexact}
		}
		return n, nil
	})
}

// FromDurations is [FromTimes] for a timedelta64 array.
func FromDurations(t dtype.Type, durations []time.Duration, valid []bool, shape ...int) (*Array, error) {
	if err := isDuration(t); err != nil {
		return nil, err
	}
	refused := func(d time.Duration, err error) error {
		return &scalar.RangeError{Value: d.String(), Type: "time.Duration", Target: t.Name(), Err: err}
	}
	return fromValues(t, durations, valid, shape, func(d time.Duration) (scalar.Timedelta64, error) {
		if d == scalar.NaT {
			return scalar.Timedelta64{}, refused(d, scalar.ErrNaT)
		}
		n, exact, err := scalar.Timedelta64{Ticks: int64(d)}.Convert(nanosecond, t.Step())
		switch {
		case err != nil:
			return scalar.Timedelta64{}, refused(d, scalar.ErrRange)
		case !exact:
			return scalar.Timedelta64{}, refused(d, scalar.ErrInexact)
		}
		return n, nil
	})
}

// nanosecond is the step of a time.Duration.
var nanosecond = dtype.Step{Num: 1, Unit: dtype.Nanosecond}

// isMoment returns an error unless times of t are moments.
func isMoment(t dtype.Type) error {
	switch {
	case t.Kind() != dtype.KindDatetime:
		return typeError[time.Time](t, "it must be datetime64")
	case cast.IsGeneric(t):
		return typeError[time.Time](t, "it has no unit; LoadTicks and As give the counts")
	}
	return nil
}

// isDuration returns an error unless times of t have a fixed length.
func isDuration(t dtype.Type) error {
	switch u := t.Step().Unit; {
	case t.Kind() != dtype.KindTimedelta:
		return typeError[time.Duration](t, "it must be timedelta64")
	case u == dtype.Generic || u == dtype.Year || u == dtype.Month:
		return typeError[time.Duration](t, "its unit has no fixed length; LoadTicks and As give the counts")
	}
	return nil
}

// loadError adds the path to an error, unless the error already has a path.
func loadError(path string, err error) error {
	if _, ok := err.(*fs.PathError); ok {
		return err
	}
	return &fs.PathError{Op: "load", Path: path, Err: err}
}

// loadTicks reads a file of times. fits returns an error for other dtypes.
func loadTicks[T scalar.Tick](path string, fits func(dtype.Type) error) (ticks []T, t dtype.Type, shape []int, err error) {
	f, s, err := source.OpenFile(path, format.Decoder{})
	if err != nil {
		return nil, t, nil, err
	}
	defer f.Close()
	t = s.Header.DType
	if err := fits(t); err != nil {
		return nil, t, nil, err
	}
	ticks, err = loadFrom[T](Decoder{}, nil, s)
	return ticks, t, slices.Clone(s.Header.Shape), err
}

func toTicks[T scalar.Tick](a *Array, fits func(dtype.Type) error) ([]T, error) {
	if err := fits(a.nd.DType); err != nil {
		return nil, err
	}
	v, err := As[T](a)
	if err != nil {
		return nil, err
	}
	if ticks, ok := v.ViewSlice(); ok {
		return ticks, nil
	}
	return v.ToSlice(), nil
}

// count is the memory of a Datetime64 or a Timedelta64.
type count = struct{ Ticks int64 }

// stepped returns the dtype of T with a step.
func stepped[T scalar.Tick](step dtype.Step) dtype.Type {
	if DTypeOf[T]().Kind() == dtype.KindTimedelta {
		return dtype.Timedelta64(step)
	}
	return dtype.Datetime64(step)
}

// fromTicks converts ticks that count the steps of t.
func fromTicks[T scalar.Tick, V any](t dtype.Type, ticks []T, convert func(T, dtype.Step) (V, error)) (values []V, valid []bool, err error) {
	values, valid = make([]V, len(ticks)), make([]bool, len(ticks))
	err = par.Split(context.Background(), len(ticks), 1, cast.Cost*8*len(ticks), func(low, high int) error {
		for i := low; i < high; i++ {
			if ticks[i].IsNaT() {
				continue
			}
			var err error
			if values[i], err = convert(ticks[i], t.Step()); err != nil {
				return &elementError{Index: i, Err: err}
			}
			valid[i] = true
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return values, valid, nil
}

// convertTicks converts ticks in place.
func convertTicks[T scalar.Tick](ticks []T, from, to dtype.Type) error {
	convert := cast.Steps(from, to)
	return par.Split(context.Background(), len(ticks), 1, cast.Cost*8*len(ticks), func(low, high int) error {
		for i := low; i < high; i++ {
			if ticks[i].IsNaT() {
				continue
			}
			x, err := convert(count(ticks[i]).Ticks)
			if err != nil {
				return &elementError{Index: i, Err: err}
			}
			ticks[i] = T(count{x})
		}
		return nil
	})
}

// fromValues returns an array of ticks, with NaT where valid is false.
func fromValues[T scalar.Tick, V any](t dtype.Type, values []V, valid []bool, shape []int, convert func(V) (T, error)) (*Array, error) {
	if valid != nil && len(valid) != len(values) {
		return nil, diag.Errorf("npy", "valid has %d elements for %d values", len(valid), len(values))
	}
	ticks := make([]T, len(values))
	err := par.Split(context.Background(), len(values), 1, cast.Cost*8*len(values), func(low, high int) error {
		for i := low; i < high; i++ {
			if valid != nil && !valid[i] {
				ticks[i] = T(count{scalar.NaT})
				continue
			}
			var err error
			if ticks[i], err = convert(values[i]); err != nil {
				return &elementError{Index: i, Err: err}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return FromSliceAs(t, ticks, shape...)
}
