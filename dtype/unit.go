package dtype

import "strconv"

// A Unit is the base unit of a datetime64 or timedelta64, NumPy's NPY_DATETIMEUNIT.
// The zero Unit is [Generic]: a count of nothing in particular.
type Unit uint8

// The units NumPy knows, from the coarsest to the finest. Years and months are calendar units:
// they have no fixed length in days.
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
	Num  int32
	Unit Unit
}

// String returns the step as it stands between the brackets of a descr: "25s", "ns", or "generic".
func (s Step) String() string {
	if s.Unit == Generic || s.Num == 1 {
		return s.Unit.String()
	}
	return strconv.Itoa(int(s.Num)) + s.Unit.String()
}
