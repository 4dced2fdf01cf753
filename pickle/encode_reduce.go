package pickle

import (
	"cmp"
	"errors"
	"math/big"
	"slices"

	"github.com/npygo/npy/pickle/internal/calendar"
	"github.com/npygo/npy/pickle/internal/literal"
)

var (
	errFraction = errors.New("its denominator is not positive")
	errTime     = errors.New("no such date or time in Python")
)

// The globals of this package's classes, for values that were not decoded from a pickle.
var (
	bytesClass       = &Global{Module: "builtins", Name: "bytes"}
	encodeFunction   = &Global{Module: "_codecs", Name: "encode"}
	bytearrayClass   = &Global{Module: "builtins", Name: "bytearray"}
	setClass         = &Global{Module: "builtins", Name: "set"}
	frozensetClass   = &Global{Module: "builtins", Name: "frozenset"}
	complexClass     = &Global{Module: "builtins", Name: "complex"}
	sliceClass       = &Global{Module: "builtins", Name: "slice"}
	rangeClass       = &Global{Module: "builtins", Name: "range"}
	getattrFunction  = &Global{Module: "builtins", Name: "getattr"}
	orderedDictClass = &Global{Module: "collections", Name: "OrderedDict"}
	defaultDictClass = &Global{Module: "collections", Name: "defaultdict"}
	counterClass     = &Global{Module: "collections", Name: "Counter"}
	datetimeClass    = &Global{Module: "datetime", Name: "datetime"}
	dateClass        = &Global{Module: "datetime", Name: "date"}
	timeClass        = &Global{Module: "datetime", Name: "time"}
	timedeltaClass   = &Global{Module: "datetime", Name: "timedelta"}
	timezoneClass    = &Global{Module: "datetime", Name: "timezone"}
	decimalClass     = &Global{Module: "decimal", Name: "Decimal"}
	fractionClass    = &Global{Module: "fractions", Name: "Fraction"}
	uuidClass        = &Global{Module: "uuid", Name: "UUID"}
	partialClass     = &Global{Module: "functools", Name: "partial"}
	objectClass      = &Global{Module: "builtins", Name: "object"}

	reconstructFunction = &Global{Module: "copyreg", Name: "_reconstructor"}
	newObjFunction      = &Global{Module: "copyreg", Name: "__newobj__"}
)

// noArgs are the arguments of an object made in Go without arguments.
var noArgs = &Tuple{}

// Strs that are one object in Python.
var (
	latin1 = "latin1"
	intKey = "int"
)

// A newStr is a str that Python makes for the pickle only: no other str is the same object.
type newStr string

// call returns the object that Class(*args) makes. The class is the decoded one or, if it is nil, the usual one.
func call(class, usual *Global, args ...any) *Object {
	return &Object{Class: cmp.Or(class, usual), Args: &Tuple{Items: args}}
}

// reduceKnown returns the call with which Python makes a value of a type of this package that has no opcode in this
// protocol, or nil for other types.
func (p *pickler) reduceKnown(v any) (*Object, error) {
	switch v := v.(type) {
	case complex128:
		return call(nil, complexClass, real(v), imag(v)), nil
	case complex64:
		return call(nil, complexClass, float64(real(v)), float64(imag(v))), nil
	case []byte:
		if len(v) == 0 {
			return call(nil, bytesClass), nil
		}
		return call(nil, encodeFunction, literal.Latin1Text(v), latin1), nil
	case *ByteArray:
		if len(v.Bytes) == 0 {
			return call(nil, bytearrayClass), nil
		}
		return call(nil, bytearrayClass, slices.Clone(v.Bytes)), nil
	case *Set:
		return call(nil, setClass, v.list()), nil
	case *FrozenSet:
		return call(nil, frozensetClass, v.set.list()), nil
	case *Slice:
		return call(v.class, sliceClass, v.Start, v.Stop, v.Step), nil
	case *Range:
		return call(v.class, rangeClass, v.Start, v.Stop, v.Step), nil
	case *OrderedDict:
		return v.reduce(), nil
	case *DefaultDict:
		return v.reduce(), nil
	case *Counter:
		return call(v.class, counterClass, &Dict{pairs: v.pairs}), nil
	case *Decimal:
		return call(v.class, decimalClass, newStr(v.Text)), nil
	case *Fraction:
		return v.reduce()
	case *UUID:
		return v.reduce(), nil
	}
	return p.reduceTime(v)
}

func (d *OrderedDict) reduce() *Object {
	o := call(d.class, orderedDictClass)
	o.Pairs = d.pairs
	if d.Attributes != nil {
		o.State, o.HasState = d.Attributes, true
	}
	return o
}

func (d *DefaultDict) reduce() *Object {
	o := call(d.class, defaultDictClass)
	if d.Factory != nil {
		o.Args.Items = []any{d.Factory}
	}
	o.Pairs = d.pairs
	return o
}

func (v *Fraction) reduce() (*Object, error) {
	if v.Num == nil || v.Den == nil || v.Den.Sign() <= 0 {
		return nil, errFraction
	}
	if !v.text {
		return call(v.class, fractionClass, v.Num, v.Den), nil
	}
	text := v.Num.String()
	if v.Den.Cmp(big.NewInt(1)) != 0 {
		text += "/" + v.Den.String()
	}
	return call(v.class, fractionClass, text), nil
}

func (u *UUID) reduce() *Object {
	state := u.state
	if state == nil {
		state = &Dict{pairs: []Pair{{intKey, new(big.Int).SetBytes(u.Bytes[:])}}}
	}
	return &Object{Class: cmp.Or(u.class, uuidClass), How: NewObj, Args: noArgs, State: state, HasState: true}
}

// list returns the elements as a list.
func (s *Set) list() *List {
	items := make([]any, 0, s.Len())
	for v := range s.All() {
		items = append(items, v)
	}
	return &List{Items: items}
}

// reduceTime is reduceKnown for dates and times.
func (p *pickler) reduceTime(v any) (*Object, error) {
	switch v := v.(type) {
	case *Datetime:
		if !calendar.IsDate(v.Year, v.Month, v.Day) || !calendar.IsTime(v.Hour, v.Minute, v.Second, v.Microsecond) {
			return nil, errTime
		}
		state := calendar.AppendTime(calendar.AppendDate(nil, v.Year, v.Month, v.Day), v.Hour, v.Minute, v.Second, v.Microsecond)
		p.fold(&state[2], v.Fold)
		return callTZ(v.class, datetimeClass, state, v.TZ), nil
	case *Date:
		if !calendar.IsDate(v.Year, v.Month, v.Day) {
			return nil, errTime
		}
		return call(v.class, dateClass, calendar.AppendDate(nil, v.Year, v.Month, v.Day)), nil
	case *Time:
		if !calendar.IsTime(v.Hour, v.Minute, v.Second, v.Microsecond) {
			return nil, errTime
		}
		state := calendar.AppendTime(nil, v.Hour, v.Minute, v.Second, v.Microsecond)
		p.fold(&state[0], v.Fold)
		return callTZ(v.class, timeClass, state, v.TZ), nil
	case *Timedelta:
		return call(v.class, timedeltaClass, int64(v.Days), int64(v.Seconds), int64(v.Microseconds)), nil
	case *TimeZone:
		if v.Name == nil {
			return call(v.class, timezoneClass, v.Offset), nil
		}
		return call(v.class, timezoneClass, v.Offset, v.Name), nil
	}
	return nil, nil
}

// callTZ is call for a time with its tzinfo, if it has one.
func callTZ(class, usual *Global, state []byte, tz any) *Object {
	if tz == nil {
		return call(class, usual, state)
	}
	return call(class, usual, state, tz)
}

// fold sets the bit for the second of two equal times. Pickles that Python 2 can read cannot hold it.
func (p *pickler) fold(b *byte, fold int) {
	if fold != 0 && p.protocol >= 4 {
		*b |= calendar.FoldBit
	}
}

// partial returns an object that is made with keywords, as Python writes it in protocols without an opcode for that:
// functools.partial(Class.__new__, Class, *args, **kwargs)().
func partial(o *Object) *Object {
	new := call(nil, getattrFunction, o.Class, "__new__")
	args := &Tuple{Items: []any{o.Class}}
	if o.Args != nil {
		args.Items = append(args.Items, o.Args.Items...)
	}
	kwargs := o.Kwargs
	if kwargs == nil {
		kwargs = &Dict{}
	}
	f := call(nil, partialClass, new)
	f.State, f.HasState = &Tuple{Items: []any{new, args, kwargs, nil}}, true
	return &Object{Class: f, Items: o.Items, Pairs: o.Pairs, State: o.State, HasState: o.HasState}
}

// oldObject returns an object that is made by __new__, as Python writes it in protocols without an opcode for that.
func oldObject(o *Object) *Object {
	made := *o
	made.How = Call
	if o.Args == nil || len(o.Args.Items) == 0 {
		made.Class, made.Args = reconstructFunction, &Tuple{Items: []any{o.Class, objectClass, nil}}
		return &made
	}
	made.Class, made.Args = newObjFunction, &Tuple{Items: append([]any{o.Class}, o.Args.Items...)}
	return &made
}
