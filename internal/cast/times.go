package cast

import (
	"errors"
	"fmt"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/scalar"
)

func isTime(t dtype.Type) bool {
	return t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta
}

// IsGeneric reports whether t is a time without a unit, a generic one.
func IsGeneric(t dtype.Type) bool { return isTime(t) && t.Step().Unit == dtype.Generic }

// timeConversion converts times to another unit, and numbers to ticks and back.
func timeConversion(from, to dtype.Type) conversion {
	ticks := func(bool) Caster { return castFrom(codec.Exact[int64](!from.IsNative()), to, to, false) } // NaT is in range
	switch {
	case isTime(from) && isTime(to) && from.Kind() != to.Kind():
		return conversion{Unsafe, ticks}
	case isTime(from) && isTime(to):
		return stepConversion(from, to, ticks)
	case isTime(from) && kindRank(to) > 0:
		return conversion{Unsafe, func(check bool) Caster { return numberCaster(dtype.Int64.WithByteOrder(from.ByteOrder()), to, check) }}
	case kindRank(from) == 0:
		return never
	}
	needs := Unsafe
	if kindRank(from) <= kindRank(dtype.Int64) && to.Kind() == dtype.KindTimedelta {
		needs = SameKind
	}
	return conversion{needs, func(check bool) Caster {
		if from.Kind() == dtype.KindComplex {
			part := partType(from)
			return realParts(part.ItemSize(), realCaster(part, to, to, check))
		}
		return realCaster(from, to, to, check)
	}}
}

// stepConversion converts times from one step to another. A generic time becomes a time of any step without a change of its
// ticks, as in NumPy, except for a datetime64 in years or months. ticks makes the caster that keeps ticks.
func stepConversion(from, to dtype.Type, ticks func(bool) Caster) conversion {
	a, b := from.Step(), to.Step()
	x := conversion{SameKind, always(stepCaster(from, to))}
	switch {
	case a == b:
		return conversion{Safe, ticks}
	case a.Unit == dtype.Generic && (to.Kind() == dtype.KindTimedelta || !isCalendar(b)):
		return conversion{Safe, ticks}
	case a.Unit == dtype.Generic || b.Unit == dtype.Generic || a.Num <= 0 || b.Num <= 0:
		return never
	case wholeSteps(from, to):
		x.needs = Safe
	case to.Kind() == dtype.KindTimedelta && isCalendar(a) != isCalendar(b):
		x.needs = Unsafe
	}
	return x
}

// wholeSteps reports whether every time of from is a whole number of steps of to, a dtype of the same kind. A year and a month
// begin with a day, but have no fixed length.
func wholeSteps(from, to dtype.Type) bool {
	a := from.Step()
	if isCalendar(a) {
		if _, den, ok := a.Ratio(to.Step()); ok {
			return den == 1
		}
		if from.Kind() == dtype.KindTimedelta {
			return false
		}
		a = dtype.Step{Num: 1, Unit: dtype.Day}
	}
	_, den, ok := a.Ratio(to.Step())
	return ok && den == 1
}

var (
	errNoLength = errors.New("years and months have no fixed length")
	errFarApart = errors.New("the units are too far apart for 64 bits")
)

// CommonStep returns the step of numpy.promote_types of two times: the largest of which both steps are multiples. A time without a
// unit takes the step of the other. A datetime64 in years or months counts as one in weeks, as in NumPy, unless its days would not
// be multiples of the step; a timedelta64 in years or months has no step in common with other units.
func CommonStep(a, b dtype.Type) (dtype.Step, error) {
	s, t := a.Step(), b.Step()
	switch {
	case s.Unit == dtype.Generic:
		return t, nil
	case t.Unit == dtype.Generic:
		return s, nil
	case s.Unit > t.Unit:
		a, b, s, t = b, a, t, s
	}
	if isCalendar(s) && !isCalendar(t) {
		if a.Kind() == dtype.KindTimedelta {
			return t, errNoLength
		}
		s.Unit = dtype.Week
	}
	_, den, ok := s.Ratio(t)
	if !ok {
		return t, errFarApart
	}
	step := dtype.Step{Num: int32(uint64(t.Num) / den), Unit: t.Unit}
	if isCalendar(a.Step()) && !isCalendar(step) && !wholeSteps(a, dtype.Datetime64(step)) {
		return t, fmt.Errorf("years and months begin on days that are not multiples of %s", step)
	}
	return step, nil
}

func isCalendar(s dtype.Step) bool { return s.Unit == dtype.Year || s.Unit == dtype.Month }

// stepCaster converts times to another step and rounds them down. NaT stays NaT.
func stepCaster(from, to dtype.Type) Caster {
	convert := Steps(from, to)
	swapFrom, swapTo := !from.IsNative(), !to.IsNative()
	return func(dst, src []byte, n int) error {
		ticks := make([]int64, min(codec.Chunk, n))
		for at := 0; at < n; at += len(ticks) {
			ticks = ticks[:min(len(ticks), n-at)]
			bulk.Decode(ticks, src[8*at:8*(at+len(ticks))], swapFrom)
			for i, x := range ticks {
				if x == scalar.NaT {
					continue
				}
				var err error
				if ticks[i], err = convert(x); err != nil {
					return &codec.ElementError{Index: at + i, Err: err}
				}
			}
			bulk.Encode(dst[8*at:8*(at+len(ticks))], ticks, swapTo)
		}
		return nil
	}
}

// Steps returns the function that converts ticks, other than NaT, from one step to another. Most pairs of steps need a product
// or a quotient. The others are left to package scalar.
func Steps(from, to dtype.Type) func(int64) (int64, error) {
	num, den, ok := from.Step().Ratio(to.Step())
	switch {
	case ok && den == 1 && num <= math.MaxInt64:
		factor, most := int64(num), math.MaxInt64/int64(num)
		return func(x int64) (int64, error) {
			if x > most || x < -most {
				return 0, errTicks(x, from, to)
			}
			return x * factor, nil
		}
	case ok && num == 1 && den <= math.MaxInt64:
		divisor := int64(den)
		return func(x int64) (int64, error) {
			q := x / divisor
			if x%divisor < 0 {
				q--
			}
			return q, nil
		}
	}
	return func(x int64) (y int64, err error) {
		if from.Kind() == dtype.KindDatetime {
			var t scalar.Datetime64
			t, _, err = scalar.Datetime64{Ticks: x}.Convert(from.Step(), to.Step())
			y = t.Ticks
		} else {
			var d scalar.Timedelta64
			d, _, err = scalar.Timedelta64{Ticks: x}.Convert(from.Step(), to.Step())
			y = d.Ticks
		}
		if err != nil {
			err = errTicks(x, from, to)
		}
		return y, err
	}
}

// errTicks returns the error for a time that does not fit in 64 bits in another step.
func errTicks(x int64, from, to dtype.Type) error {
	text := scalar.Datetime64{Ticks: x}.Format(from.Step())
	if from.Kind() == dtype.KindTimedelta {
		text = scalar.Timedelta64{Ticks: x}.Format(from.Step())
	}
	return fmt.Errorf("%s is out of the range of dtype %s: %w", text, to, scalar.ErrRange)
}
