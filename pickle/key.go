package pickle

import (
	"hash/maphash"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/pickle/internal/calendar"
)

// Keys of dicts and elements of sets are compared by their forms: comparable Go values that are equal where the keys
// are equal in Python, and the keys of Go's maps. A new type of value needs its form here, in the same switch as its
// kind; TestKeys compares it with Python.
//
// There are three differences to Python. A NaN equals nothing, where Python compares identity first. A Decimal equals a
// Decimal with the same text only, so that 1, Decimal('1') and Decimal('1.0') are three keys. An Object equals itself
// only.

// The types of forms. Integers are int64 where they fit. Bools, and floats with an integer value, are integers. string,
// float64 and complex128 are their own forms. A form contains no nil, which maphash does not accept in all builds.
type (
	noneForm      struct{}
	bigForm       string // hexadecimal digits
	fractionForm  struct{ num, den bigForm }
	bytesForm     string
	decimalForm   string
	uuidForm      [16]byte
	globalForm    struct{ module, name string }
	dateForm      struct{ year, month, day int }
	timedeltaForm struct{ days, seconds, microseconds int }
	datetimeForm  struct {
		days, microseconds int64
		tz                 any
	}
	zoneForm   struct{ offset any }
	rangeForm  struct{ length, start, step any }
	sliceForm  struct{ parts any }
	tupleForm  struct{ first, rest any } // as a chain that ends in noneForms
	frozenForm struct{ chain any }       // sorted by hash
	awareForm  struct{}                  // the tz of a form with times in UTC
)

// maxKeyParts is the largest number of values in one key.
const maxKeyParts = 4096

// A keyer makes the form of a key.
type keyer struct {
	parts int
	cost  int64 // bytes copied, compared or hashed
}

// formOf returns the form of a key.
func formOf(key any) (any, error) { return new(keyer).form(key) }

// isPlain reports whether the form of a key takes almost no time and memory.
func isPlain(key any) bool {
	switch key.(type) {
	case nil, bool, int64, float64, string, Singleton:
		return true
	}
	return false
}

func (k *keyer) form(v any) (any, error) {
	if k.parts++; k.parts > maxKeyParts {
		return nil, bounded.Over("", 0, 0, "a key of more than %d parts", maxKeyParts)
	}
	k.cost += 48
	switch v := v.(type) {
	case nil:
		return noneForm{}, nil
	case int64, Singleton:
		return v, nil
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	case float64:
		return floatForm(v), nil
	case complex128:
		if imag(v) == 0 {
			return floatForm(real(v)), nil
		}
		return v, nil
	case string:
		k.cost += int64(len(v)) / 8 // it is hashed but not copied
		return v, nil
	case []byte:
		k.cost += int64(len(v))
		return bytesForm(v), nil
	case *big.Int:
		return k.int(v), nil
	case *Fraction:
		return k.fraction(v), nil
	case *Decimal:
		k.cost += int64(len(v.Text))
		if strings.Contains(v.Text, "NaN") {
			return math.NaN(), nil
		}
		return decimalForm(v.Text), nil
	case *Tuple:
		return k.tuple(v.Items)
	case *FrozenSet:
		return k.frozenSet(v)
	case *Slice:
		parts, err := k.tuple([]any{v.Start, v.Stop, v.Step})
		return sliceForm{parts}, err
	case *Range:
		return k.rangeForm(v), nil
	case *List, *Dict, *OrderedDict, *DefaultDict, *Counter, *Set, *ByteArray:
		return nil, &KeyError{kindOf(v)}
	}
	return k.otherForm(v)
}

// otherForm is form for names, times, and values that are compared by identity.
func (k *keyer) otherForm(v any) (any, error) {
	switch v := v.(type) {
	case *Global:
		k.cost += int64(len(v.Module) + len(v.Name))
		return globalForm{v.Module, v.Name}, nil
	case *UUID:
		return uuidForm(v.Bytes), nil
	case *Date:
		return dateForm{v.Year, v.Month, v.Day}, nil
	case *Datetime:
		return v.form(), nil
	case *Time:
		return v.form(), nil
	case *Timedelta:
		return v.form(), nil
	case *TimeZone:
		return zoneForm{v.Offset.form()}, nil
	case *Object:
		return v, nil
	}
	if !reflect.ValueOf(v).Comparable() {
		return nil, &KeyError{kindOf(v)}
	}
	return v, nil
}

// floatForm returns a float as an integer if its value is one.
func floatForm(f float64) any {
	if f != math.Trunc(f) || math.IsInf(f, 0) {
		return f // including NaN, which equals nothing
	}
	if -1<<63 <= f && f < 1<<63 {
		return int64(f)
	}
	n, _ := big.NewFloat(f).Int(nil)
	return bigForm(n.Text(16))
}

// int returns the form of an integer.
func (k *keyer) int(n *big.Int) any {
	if n.IsInt64() {
		return n.Int64()
	}
	k.cost += int64(n.BitLen())
	return bigForm(n.Text(16))
}

// fraction returns a fraction as an integer or float if its value is one.
func (k *keyer) fraction(f *Fraction) any {
	if f.Num == nil || f.Den == nil || f.Den.Sign() == 0 {
		return f
	}
	words := int64(f.Num.BitLen()+f.Den.BitLen())/64 + 1
	k.cost += words * words // the cost of the greatest common divisor
	r := new(big.Rat).SetFrac(f.Num, f.Den)
	if r.IsInt() {
		return k.int(r.Num())
	}
	if x, exact := r.Float64(); exact {
		return x
	}
	return fractionForm{bigForm(r.Num().Text(16)), bigForm(r.Denom().Text(16))}
}

// tuple returns the chain of the forms of items.
func (k *keyer) tuple(items []any) (any, error) {
	k.cost += 64 // the ends of the chain
	chain := tupleForm{noneForm{}, noneForm{}}
	for _, v := range slices.Backward(items) {
		form, err := k.form(v)
		if err != nil {
			return nil, err
		}
		chain = tupleForm{form, chain}
	}
	return chain, nil
}

// seed is the hash seed for the order of elements in frozenForm.
var seed = maphash.MakeSeed()

// frozenSet returns the chain of the forms of the elements in the order of their hashes.
func (k *keyer) frozenSet(s *FrozenSet) (any, error) {
	type element struct {
		hash uint64
		form any
	}
	elements := make([]element, 0, min(s.Len(), maxKeyParts))
	for v := range s.All() {
		before := k.parts
		form, err := k.form(v)
		if err != nil {
			return nil, err
		}
		k.cost += 48 * int64(k.parts-before) // the cost of hashing all of them
		elements = append(elements, element{maphash.Comparable(seed, form), form})
	}
	slices.SortFunc(elements, func(a, b element) int {
		if a.hash < b.hash {
			return -1
		}
		return 1
	})
	chain := tupleForm{noneForm{}, noneForm{}}
	for _, e := range elements {
		chain = tupleForm{e.form, chain}
	}
	return frozenForm{chain}, nil
}

// rangeForm returns the sequence of integers in a range: ranges are equal if their sequences are.
func (k *keyer) rangeForm(r *Range) any {
	start, stop, step := bigOf(r.Start), bigOf(r.Stop), bigOf(r.Step)
	if start == nil || stop == nil || step == nil || step.Sign() == 0 {
		return r
	}
	words := int64(start.BitLen()+stop.BitLen()+step.BitLen())/64 + 1
	k.cost += words * words
	length := new(big.Int).Sub(stop, start)
	length.Add(length, step)
	length.Sub(length, big.NewInt(int64(step.Sign())))
	length.Quo(length, step)
	switch {
	case length.Sign() <= 0:
		return rangeForm{int64(0), noneForm{}, noneForm{}}
	case length.Cmp(big.NewInt(1)) == 0:
		return rangeForm{int64(1), k.int(start), noneForm{}}
	}
	return rangeForm{k.int(length), k.int(start), k.int(step)}
}

// bigOf returns an int of Python as a big.Int, or nil for other values.
func bigOf(v any) *big.Int {
	switch v := v.(type) {
	case int64:
		return big.NewInt(v)
	case *big.Int:
		return v
	}
	return nil
}

// form returns the days and the time of day, in UTC where the offset is known. Datetimes with a tzinfo of another
// library are equal only if they share this tzinfo.
func (d *Datetime) form() any {
	f := datetimeForm{calendar.Days(d.Year, d.Month, d.Day), calendar.TimeOfDay(d.Hour, d.Minute, d.Second, d.Microsecond), identity(d.TZ, d)}
	if z, ok := d.TZ.(*TimeZone); ok && z != nil {
		f.microseconds -= z.Offset.microseconds()
		f.days += calendar.FloorDiv(f.microseconds, calendar.MicrosecondsPerDay)
		f.microseconds -= calendar.FloorDiv(f.microseconds, calendar.MicrosecondsPerDay) * calendar.MicrosecondsPerDay
		f.tz = awareForm{}
	}
	return f
}

// form is Datetime.form without the days.
func (t *Time) form() any {
	f := datetimeForm{days: math.MinInt64, microseconds: calendar.TimeOfDay(t.Hour, t.Minute, t.Second, t.Microsecond), tz: identity(t.TZ, t)}
	if z, ok := t.TZ.(*TimeZone); ok && z != nil {
		f.microseconds -= z.Offset.microseconds()
		f.tz = awareForm{}
	}
	return f
}

// identity returns a tzinfo, or a placeholder for one that cannot be compared.
func identity(tz, standIn any) any {
	if tz == nil {
		return noneForm{}
	}
	if reflect.ValueOf(tz).Comparable() {
		return tz
	}
	return standIn
}

// form returns the parts. Python has only one way to divide a length of time into them.
func (d *Timedelta) form() any {
	if d == nil {
		return noneForm{}
	}
	return timedeltaForm{d.Days, d.Seconds, d.Microseconds}
}
