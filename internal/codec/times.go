package codec

import (
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// nanosecond is the step of a time.Duration.
var nanosecond = dtype.Step{Num: 1, Unit: dtype.Nanosecond}

// Durations returns the decoder of timedelta64 with a unit of fixed length. NaT, and a length that is out of range or
// not a whole number of nanoseconds, is an error of its element.
func Durations(t dtype.Type) Decoder[time.Duration] {
	u := t.Step().Unit
	if t.Kind() != dtype.KindTimedelta || u == dtype.Generic || u == dtype.Year || u == dtype.Month {
		return nil
	}
	ticks, step := Exact[int64](!t.IsNative()), t.Step()
	return func(dst []time.Duration, src []byte) error {
		buf := make([]int64, len(dst))
		if err := ticks(buf, src); err != nil {
			return err
		}
		for i, x := range buf {
			d, err := scalar.Timedelta64{Ticks: x}.Duration(step)
			if err != nil {
				return &ElementError{i, err}
			}
			dst[i] = d
		}
		return nil
	}
}

// PutDurations returns the encoder of durations as nanoseconds: every Duration is a whole number of nanoseconds. The smallest
// Duration is the NaT of NumPy and an error.
func PutDurations(t dtype.Type) Encoder[time.Duration] {
	if t.Kind() != dtype.KindTimedelta || t.Step() != nanosecond {
		return nil
	}
	ticks := PutEach(!t.IsNative(), func(d time.Duration) int64 { return int64(d) })
	return func(dst []byte, src []time.Duration) error {
		for i, d := range src {
			if d == scalar.NaT {
				return &ElementError{i, &scalar.RangeError{Value: d.String(), Type: "time.Duration", Target: t.Name(), Err: scalar.ErrNaT}}
			}
		}
		return ticks(dst, src)
	}
}
