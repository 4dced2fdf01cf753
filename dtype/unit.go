package dtype

import (
	"math/bits"
	"strconv"
)

// A Unit is the base unit of a datetime64 or timedelta64, NumPy's NPY_DATETIMEUNIT. The zero Unit is [Generic]: ticks
// without a length.
type Unit uint8

// NumPy's units, from the coarsest to the finest. Years and months are calendar units: they have no fixed length in
// days.
const (
	Generic Unit = iota
	Year
	Month
	Week
	Day
	Hour
	Minute
	Second
	Millisecond
	Microsecond
	Nanosecond
	Picosecond
	Femtosecond
	Attosecond
)

var unitCodes = [...]string{"generic", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"}

// String returns the unit's code in a descr: "Y", "M", … "as", or "generic".
func (u Unit) String() string {
	if int(u) < len(unitCodes) {
		return unitCodes[u]
	}
	return "Unit(" + strconv.Itoa(int(u)) + ")"
}

// A Step is the length of one tick of a datetime64 or timedelta64: Num units, as numpy.datetime_data
// returns it. In M8[25s] the step is 25 seconds. The zero Step is generic.
type Step struct {
	Num  int32 // of units in one step: 25 in "25s"
	Unit Unit  // Generic for a time without a unit
}

// String returns the step as it stands between the brackets of a descr: "25s", "ns", or "generic".
func (s Step) String() string {
	if s.Unit == Generic || s.Num == 1 {
		return s.Unit.String()
	}
	return strconv.Itoa(int(s.Num)) + s.Unit.String()
}

// finerLengths maps a unit to the number of the next finer units in it. It is 0 for months and attoseconds, the finest
// units of their groups.
var finerLengths = [...]uint64{
	Year: 12, Week: 7, Day: 24, Hour: 60, Minute: 60, Second: 1000, Millisecond: 1000, Microsecond: 1000, Nanosecond: 1000,
	Picosecond: 1000, Femtosecond: 1000,
}

// Ratio returns the length of s divided by the length of t, as a fraction in lowest terms: 25s and 10s give 5 and 2.
// Both steps are whole multiples of s/num, which is the step of numpy.promote_types. A year has 12 months. Years and
// months have no fixed length in weeks or finer units. ok is false if there is no ratio for this reason, if exactly one
// step is generic, if a step has the length 0, or if the fraction does not fit in 64 bits.
func (s Step) Ratio(t Step) (num, den uint64, ok bool) {
	if s == t {
		return 1, 1, true
	}
	calendar := func(u Unit) bool { return u == Year || u == Month }
	if s.Unit == Generic || t.Unit == Generic || max(s.Unit, t.Unit) > Attosecond || calendar(s.Unit) != calendar(t.Unit) || s.Num <= 0 || t.Num <= 0 {
		return 0, 0, false
	}
	num, den = uint64(s.Num), uint64(t.Num)
	reduce(&num, &den)
	for u := s.Unit; u < t.Unit; u++ {
		if !scale(&num, &den, finerLengths[u]) {
			return 0, 0, false
		}
	}
	for u := t.Unit; u < s.Unit; u++ {
		if !scale(&den, &num, finerLengths[u]) {
			return 0, 0, false
		}
	}
	return num, den, true
}

// scale multiplies the fraction num/den by factor, and reports false if it overflows.
func scale(num, den *uint64, factor uint64) bool {
	reduce(&factor, den)
	hi, lo := bits.Mul64(*num, factor)
	*num = lo
	return hi == 0
}

// reduce divides a and b, which must not be 0, by their greatest common divisor.
func reduce(a, b *uint64) {
	x, y := *a, *b
	for y != 0 {
		x, y = y, x%y
	}
	*a, *b = *a/x, *b/x
}
