package pickle

import (
	"errors"
	"fmt"
	"math/big"
)

var errUnknownType = errors.New("it is no type of package pickle, and Encoder.Reduce does not know it")

// fail returns the error for a value; its place is added on the way out.
func fail(v any, err error) error { return &EncodeError{GoType: fmt.Sprintf("%T", v), Err: err} }

// The globals that stand for classes of this package in pickles, where they have not been read from one.
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
)

// Strs that Python has once.
var (
	latin1 = "latin1"
	intKey = "int"
)

// A newStr is a str that Python makes for the pickle only: nothing else is the same.
type newStr string

// call returns the object that Class(*args) makes, the class being the one that was read or, without one, the usual.
func call(class, usual *Global, args ...any) *Object {
	if class == nil {
		class = usual
	}
	return &Object{Class: class, Args: &Tuple{Items: args}}
}

// reduceKnown returns how Python makes a value of one of this package's types for which there is no opcode in this
// protocol, or nil if it is of another.
func (p *pickler) reduceKnown(v any) *Object {
	switch v := v.(type) {
	case complex128:
		return call(nil, complexClass, real(v), imag(v))
	case complex64:
		return call(nil, complexClass, float64(real(v)), float64(imag(v)))
	case []byte:
		if len(v) == 0 {
			return call(nil, bytesClass)
		}
		return call(nil, encodeFunction, latin1Text(v), latin1)
	case *ByteArray:
		if len(v.Bytes) == 0 {
			return call(nil, bytearrayClass)
		}
		return call(nil, bytearrayClass, append([]byte(nil), v.Bytes...))
	case *Set:
		return call(nil, setClass, v.list())
	case *FrozenSet:
		return call(nil, frozensetClass, v.list())
	case *Slice:
		return call(v.class, sliceClass, v.Start, v.Stop, v.Step)
	case *Range:
		return call(v.class, rangeClass, v.Start, v.Stop, v.Step)
	case *OrderedDict:
		o := call(v.class, orderedDictClass)
		o.Pairs = v.pairs
		return o
	case *DefaultDict:
		o := call(v.class, defaultDictClass)
		if v.Factory != nil {
			o.Args.Items = []any{v.Factory}
		}
		o.Pairs = v.pairs
		return o
	case *Counter:
		return call(v.class, counterClass, &Dict{pairs: v.pairs})
	case *Decimal:
		return call(v.class, decimalClass, newStr(v.Text))
	case *Fraction:
		if v.text {
			return call(v.class, fractionClass, v.ratio())
		}
		return call(v.class, fractionClass, v.Num, v.Den)
	case *UUID:
		o := call(v.class, uuidClass)
		o.How = NewObj
		o.State, o.HasState = &Dict{pairs: []Pair{{intKey, new(big.Int).SetBytes(v.Bytes[:])}}}, true
		return o
	}
	return p.reduceTime(v)
}

// ratio returns the fraction as Python's str does.
func (v *Fraction) ratio() string {
	if v.Den.IsInt64() && v.Den.Int64() == 1 {
		return v.Num.String()
	}
	return v.Num.String() + "/" + v.Den.String()
}

// list returns the elements as a list.
func (s *Set) list() *List {
	items := make([]any, 0, s.Len())
	for v := range s.All() {
		items = append(items, v)
	}
	return &List{Items: items}
}

// latin1Text returns the str whose characters are the bytes.
func latin1Text(b []byte) string {
	text := make([]rune, len(b))
	for i, c := range b {
		text[i] = rune(c)
	}
	return string(text)
}

// reduceTime is reduceKnown for dates and times.
func (p *pickler) reduceTime(v any) *Object {
	switch v := v.(type) {
	case *Datetime:
		state := append(dateState(v.Year, v.Month, v.Day), clockState(v.Hour, v.Minute, v.Second, v.Microsecond)...)
		p.fold(&state[2], v.Fold)
		return callTZ(v.class, datetimeClass, state, v.TZ)
	case *Date:
		return call(v.class, dateClass, dateState(v.Year, v.Month, v.Day))
	case *Time:
		state := clockState(v.Hour, v.Minute, v.Second, v.Microsecond)
		p.fold(&state[0], v.Fold)
		return callTZ(v.class, timeClass, state, v.TZ)
	case *Timedelta:
		return call(v.class, timedeltaClass, int64(v.Days), int64(v.Seconds), int64(v.Microseconds))
	case *TimeZone:
		if v.Name == nil {
			return call(v.class, timezoneClass, v.Offset)
		}
		return call(v.class, timezoneClass, v.Offset, v.Name)
	}
	return nil
}

// callTZ is call for a time with its tzinfo, if it has one.
func callTZ(class, usual *Global, state []byte, tz any) *Object {
	if tz == nil {
		return call(class, usual, state)
	}
	return call(class, usual, state, tz)
}

// dateState returns a date as Python's datetime keeps it.
func dateState(year, month, day int) []byte {
	return []byte{byte(year >> 8), byte(year), byte(month), byte(day)}
}

// clockState returns a time of day as Python's datetime keeps it.
func clockState(hour, minute, second, microsecond int) []byte {
	return []byte{byte(hour), byte(minute), byte(second), byte(microsecond >> 16), byte(microsecond >> 8), byte(microsecond)}
}

// fold sets the bit for the second of two equal times. Pickles that Python 2 could read have no room for it.
func (p *pickler) fold(b *byte, fold int) {
	if fold != 0 && p.protocol >= 4 {
		*b |= 0x80
	}
}

// enterObject begins an object.
func (p *pickler) enterObject(o *Object, id identity) error {
	if o.How == NewObjEx && p.protocol < 4 {
		o = p.keep(partial(o))
	}
	return p.enter(o, id)
}

// partial returns an object that is made with keywords as Python writes it in protocols without an opcode for that:
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
