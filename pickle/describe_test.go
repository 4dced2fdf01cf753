package pickle

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"sort"
	"strings"
)

// A describer writes values in the neutral text of testdata/values.py. A container that is met again is written as its
// number in the order of first meeting, so that sharing and cycles are part of the text.
type describer struct {
	out  strings.Builder
	seen map[any]int
}

// describe returns the text of a value.
func describe(v any) string {
	d := describer{seen: map[any]int{}}
	d.value(v)
	return d.out.String()
}

// again writes a reference if v was met before.
func (d *describer) again(v any) bool {
	if n, ok := d.seen[v]; ok {
		fmt.Fprintf(&d.out, "@%d", n)
		return true
	}
	d.seen[v] = len(d.seen)
	return false
}

func (d *describer) value(v any) {
	switch v := v.(type) {
	case nil:
		d.out.WriteString("None")
	case bool:
		fmt.Fprintf(&d.out, "bool:%v", v)
	case int64:
		fmt.Fprintf(&d.out, "int:%d", v)
	case *big.Int:
		fmt.Fprintf(&d.out, "int:%d", v)
	case float64:
		fmt.Fprintf(&d.out, "float:%016x", math.Float64bits(v))
	case complex128:
		fmt.Fprintf(&d.out, "complex:%016x,%016x", math.Float64bits(real(v)), math.Float64bits(imag(v)))
	case string:
		fmt.Fprintf(&d.out, "str:%s", hex.EncodeToString([]byte(v)))
	case []byte:
		fmt.Fprintf(&d.out, "bytes:%s", hex.EncodeToString(v))
	case *ByteArray:
		fmt.Fprintf(&d.out, "bytearray:%s", hex.EncodeToString(v.Bytes))
	case Singleton:
		d.out.WriteString(string(v))
	case *Global:
		fmt.Fprintf(&d.out, "global:%s.%s", v.Module, v.Name)
	default:
		if !d.library(v) && !d.empty(v) && !d.again(v) {
			d.container(v)
		}
	}
}

// library writes the values of Python's library that hold no other values.
func (d *describer) library(v any) bool {
	switch v := v.(type) {
	case *Slice:
		d.parts("slice", v.Start, v.Stop, v.Step)
	case *Range:
		d.parts("range", v.Start, v.Stop, v.Step)
	case *Datetime:
		fmt.Fprintf(&d.out, "datetime:%d,%d,%d,%d,%d,%d,%d,%d,", v.Year, v.Month, v.Day, v.Hour, v.Minute, v.Second, v.Microsecond, v.Fold)
		d.value(v.TZ)
	case *Date:
		fmt.Fprintf(&d.out, "date:%d,%d,%d", v.Year, v.Month, v.Day)
	case *Time:
		fmt.Fprintf(&d.out, "time:%d,%d,%d,%d,%d,", v.Hour, v.Minute, v.Second, v.Microsecond, v.Fold)
		d.value(v.TZ)
	case *Timedelta:
		fmt.Fprintf(&d.out, "timedelta:%d,%d,%d", v.Days, v.Seconds, v.Microseconds)
	case *TimeZone:
		d.parts("timezone", v.Offset, v.Name)
	case *Decimal:
		fmt.Fprintf(&d.out, "Decimal:%s", v.Text)
	case *Fraction:
		fmt.Fprintf(&d.out, "Fraction:%d/%d", v.Num, v.Den)
	case *UUID:
		fmt.Fprintf(&d.out, "UUID:%x", v.Bytes)
	default:
		return false
	}
	return true
}

// empty writes the singletons of Python.
func (d *describer) empty(v any) bool {
	switch v := v.(type) {
	case *Tuple:
		if len(v.Items) == 0 {
			d.out.WriteString("tuple()")
			return true
		}
	case *FrozenSet:
		if v.Len() == 0 {
			d.out.WriteString("frozenset()")
			return true
		}
	}
	return false
}

func (d *describer) parts(name string, parts ...any) {
	d.out.WriteString(name + "(")
	for _, p := range parts {
		d.value(p)
		d.out.WriteString(" ")
	}
	d.out.WriteString(")")
}

func (d *describer) container(v any) {
	switch v := v.(type) {
	case *List:
		d.parts("list", v.Items...)
	case *Tuple:
		d.parts("tuple", v.Items...)
	case *Dict:
		d.pairs("dict", v)
	case *OrderedDict:
		d.pairs("OrderedDict", &v.Dict)
	case *DefaultDict:
		d.value(v.Factory)
		d.pairs("defaultdict", &v.Dict)
	case *Counter:
		d.pairs("Counter", &v.Dict)
	case *Set:
		d.set("set", v)
	case *FrozenSet:
		d.set("frozenset", &v.set)
	case *Object:
		d.object(v)
	default:
		fmt.Fprintf(&d.out, "%T", v)
	}
}

func (d *describer) pairs(name string, v *Dict) {
	d.out.WriteString(name + "(")
	for key, value := range v.All() {
		d.value(key)
		d.out.WriteString("=")
		d.value(value)
		d.out.WriteString(" ")
	}
	d.out.WriteString(")")
}

// set writes the elements in the order of their texts.
func (d *describer) set(name string, v *Set) {
	var texts []string
	for e := range v.All() {
		texts = append(texts, describe(e))
	}
	sort.Strings(texts)
	fmt.Fprintf(&d.out, "%s(%s)", name, strings.Join(texts, " "))
}

func (d *describer) object(o *Object) {
	d.value(o.Class)
	d.parts("made", o.Args.Items...)
	d.parts("items", o.Items...)
	for _, p := range o.Pairs {
		d.parts("pair", p.Key, p.Value)
	}
	if o.HasState {
		d.value(o.State)
	}
}

// difference returns the place where two texts begin to differ, for a readable failure.
func difference(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(0, i-200)
	return fmt.Sprintf("at character %d:\n got ...%.500s\nwant ...%.500s", i, got[from:], want[from:])
}
