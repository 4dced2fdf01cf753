package pickle

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/npygo/npy/pickle/internal/literal"
)

// A constructor makes the Go value of a call of a class known to this package. It returns nil for arguments that the
// class would not take, or that picklers do not write: then the call is kept as an Object.
type constructor func(m *decoding, class *Global, args []any) (any, error)

// constructors are the classes that are called in pickles, by REDUCE.
var constructors = sync.OnceValue(func() map[Global]constructor {
	return map[Global]constructor{
		{Module: "builtins", Name: "complex"}:        newComplex,
		{Module: "builtins", Name: "bytes"}:          newBytes,
		{Module: "builtins", Name: "bytearray"}:      newByteArray,
		{Module: "builtins", Name: "list"}:           newList,
		{Module: "builtins", Name: "dict"}:           newDict,
		{Module: "builtins", Name: "set"}:            newSet,
		{Module: "builtins", Name: "frozenset"}:      newFrozenSet,
		{Module: "builtins", Name: "slice"}:          newSlice,
		{Module: "builtins", Name: "range"}:          newRange,
		{Module: "_codecs", Name: "encode"}:          encodeLatin1,
		{Module: "collections", Name: "OrderedDict"}: newOrderedDict,
		{Module: "collections", Name: "defaultdict"}: newDefaultDict,
		{Module: "collections", Name: "Counter"}:     newCounter,
		{Module: "datetime", Name: "datetime"}:       newDatetime,
		{Module: "datetime", Name: "date"}:           newDate,
		{Module: "datetime", Name: "time"}:           newTime,
		{Module: "datetime", Name: "timedelta"}:      newTimedelta,
		{Module: "datetime", Name: "timezone"}:       newTimeZone,
		{Module: "decimal", Name: "Decimal"}:         newDecimal,
		{Module: "fractions", Name: "Fraction"}:      newFraction,
		{Module: "copyreg", Name: "_reconstructor"}:  reconstruct,
	}
})

// known returns the value of a call of a known class with simple arguments, else nil.
func (m *decoding) known(class *Global, o *Object) (any, error) {
	switch o.How {
	case Call:
		if c := constructors()[Global{Module: class.Module, Name: class.Name}]; c != nil {
			return c(m, class, o.Args.Items)
		}
	case NewObj:
		if class.Is("uuid", "UUID") && len(o.Args.Items) == 0 {
			return m.newUUID(class), nil
		}
	}
	return nil, nil
}

func newComplex(_ *decoding, _ *Global, args []any) (any, error) {
	if len(args) != 2 {
		return nil, nil
	}
	re, ok1 := args[0].(float64)
	im, ok2 := args[1].(float64)
	if !ok1 || !ok2 {
		return nil, nil
	}
	return complex(re, im), nil
}

// newBytes is how protocols below 3 write empty bytes.
func newBytes(_ *decoding, _ *Global, args []any) (any, error) {
	if len(args) != 0 {
		return nil, nil
	}
	return []byte{}, nil
}

// newByteArray takes bytes or, below protocol 3, text with its encoding.
func newByteArray(m *decoding, _ *Global, args []any) (any, error) {
	var b []byte
	ok := true
	switch {
	case len(args) == 1:
		if _, text := args[0].(string); text && m.d.Encoding != ASCII {
			return nil, nil
		}
		b, ok = RawBytes(args[0])
	case len(args) == 2 && (args[1] == "latin-1" || args[1] == "latin1"):
		b, ok = RawBytes(args[0])
	case len(args) != 0:
		ok = false
	}
	if !ok {
		return nil, nil
	}
	return &ByteArray{slices.Clone(b)}, m.Charge(int64(len(b)))
}

// encodeLatin1 is how protocols below 3 write bytes.
func encodeLatin1(m *decoding, _ *Global, args []any) (any, error) {
	if len(args) != 2 || args[1] != "latin1" {
		return nil, nil
	}
	s, ok := args[0].(string)
	if !ok {
		return nil, nil
	}
	if err := m.Charge(int64(len(s))); err != nil {
		return nil, err
	}
	b, ok := literal.Latin1Bytes(s)
	if !ok {
		return nil, nil
	}
	return b, nil
}

// itemsOf returns the items of the only argument, if it is a list or tuple, and charges for them.
func (m *decoding) itemsOf(args []any) (items []any, ok bool, err error) {
	if len(args) == 0 {
		return nil, true, nil
	}
	switch v := args[0].(type) {
	case *List:
		items = v.Items
	case *Tuple:
		items = v.Items
	default:
		return nil, false, nil
	}
	return items, len(args) == 1, m.Charge(64 * int64(len(items)))
}

func newList(m *decoding, _ *Global, args []any) (any, error) {
	items, ok, err := m.itemsOf(args)
	if !ok || err != nil {
		return nil, err
	}
	return &List{Items: slices.Clone(items)}, nil
}

func newDict(_ *decoding, _ *Global, args []any) (any, error) {
	if len(args) != 0 {
		return nil, nil
	}
	return &Dict{}, nil
}

func newSet(m *decoding, _ *Global, args []any) (any, error) {
	items, ok, err := m.itemsOf(args)
	if !ok || err != nil {
		return nil, err
	}
	s := &Set{}
	return s, m.addAll(s, items)
}

func newFrozenSet(m *decoding, _ *Global, args []any) (any, error) {
	items, ok, err := m.itemsOf(args)
	if !ok || err != nil {
		return nil, err
	}
	s := &FrozenSet{}
	return s, m.addAll(&s.set, items)
}

// newSlice takes bounds that are not containers.
func newSlice(_ *decoding, class *Global, args []any) (any, error) {
	if len(args) != 3 || slices.ContainsFunc(args, func(v any) bool { return v != nil && bigOf(v) == nil }) {
		return nil, nil
	}
	return &Slice{args[0], args[1], args[2], class}, nil
}

func newRange(_ *decoding, class *Global, args []any) (any, error) {
	if len(args) != 3 || slices.ContainsFunc(args, func(v any) bool { return bigOf(v) == nil }) || args[2] == int64(0) {
		return nil, nil
	}
	return &Range{args[0], args[1], args[2], class}, nil
}

// newOrderedDict takes no arguments, or a list of pairs as in Python 2.
func newOrderedDict(m *decoding, class *Global, args []any) (any, error) {
	pairs, ok, err := m.itemsOf(args)
	if !ok || err != nil {
		return nil, err
	}
	d := &OrderedDict{class: class}
	for _, p := range pairs {
		kv, ok, err := m.itemsOf([]any{p})
		if !ok || err != nil || len(kv) != 2 {
			return nil, err
		}
		if err := m.setPairs(&d.Dict, kv); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// newDefaultDict takes the factory or nothing.
func newDefaultDict(_ *decoding, class *Global, args []any) (any, error) {
	switch len(args) {
	case 0:
		return &DefaultDict{class: class}, nil
	case 1:
		return &DefaultDict{Factory: args[0], class: class}, nil
	}
	return nil, nil
}

// newCounter takes a dict or nothing.
func newCounter(m *decoding, class *Global, args []any) (any, error) {
	c := &Counter{class: class}
	if len(args) == 0 {
		return c, nil
	}
	d, ok := args[0].(*Dict)
	if !ok || len(args) > 1 {
		return nil, nil
	}
	if err := m.Charge(48 * int64(d.Len())); err != nil {
		return nil, err
	}
	for k, v := range d.All() {
		if err := m.setPairs(&c.Dict, []any{k, v}); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// setState sets the attributes of an OrderedDict besides its items.
func (d *OrderedDict) setState(state any) error {
	attributes, ok := state.(*Dict)
	if !ok || d.Attributes != nil {
		return fmt.Errorf("the state of an OrderedDict is a %s, not a dict, or is set twice", kindOf(state))
	}
	d.Attributes = attributes
	return nil
}

// newDecimal takes the text of a number.
func newDecimal(m *decoding, class *Global, args []any) (any, error) {
	if len(args) != 1 {
		return nil, nil
	}
	s, ok := args[0].(string)
	if !ok {
		return nil, nil
	}
	if err := m.Charge(int64(len(s))); err != nil || !isDecimal(s) {
		return nil, err
	}
	return &Decimal{s, class}, nil
}

// isDecimal reports whether Python's str of a Decimal could be s.
func isDecimal(s string) bool {
	s = strings.TrimPrefix(s, "-")
	for _, prefix := range []string{"Infinity", "sNaN", "NaN"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			return rest == "" || prefix != "Infinity" && literal.IsDigits(rest)
		}
	}
	digits, exponent, ok := strings.Cut(s, "E")
	if ok && !literal.IsDigits(strings.TrimLeft(exponent, "+-")) || strings.LastIndexAny(exponent, "+-") > 0 {
		return false
	}
	whole, fraction, ok := strings.Cut(digits, ".")
	return literal.IsDigits(whole) && (!ok || literal.IsDigits(fraction))
}

// newFraction takes two integers, or a text as before Python 3.12.
func newFraction(m *decoding, class *Global, args []any) (any, error) {
	switch len(args) {
	case 1:
		s, ok := args[0].(string)
		if !ok || len(s) > m.MaxDigits() {
			return nil, nil
		}
		num, den, found := strings.Cut(s, "/")
		if !found {
			den = "1"
		}
		f := &Fraction{text: true, class: class}
		f.Num, f.Den = parseBig(num), parseBig(den)
		if f.Num == nil || f.Den == nil || f.Den.Sign() <= 0 {
			return nil, nil
		}
		return f, m.Charge(int64(len(s)) * int64(1+len(s)/1024)) // the conversion takes more than linear time
	case 2:
		num, den := bigOf(args[0]), bigOf(args[1])
		if num == nil || den == nil || den.Sign() <= 0 {
			return nil, nil
		}
		return &Fraction{Num: num, Den: den, class: class}, nil
	}
	return nil, nil
}

// parseBig returns the integer in a text, or nil.
func parseBig(s string) *big.Int {
	n, _ := literal.ParseInt(s)
	return bigOf(n)
}

// newUUID returns a UUID without its number: its state must follow.
func (m *decoding) newUUID(class *Global) *UUID {
	m.unset++
	return &UUID{class: class}
}

// setState takes the dict of attributes of a UUID in Python.
func (u *UUID) setState(state any) error {
	d, ok := state.(*Dict)
	if !ok {
		return fmt.Errorf("the state of a UUID is a %s, not a dict", kindOf(state))
	}
	n, _ := d.Get("int")
	number := bigOf(n)
	if number == nil || number.Sign() < 0 || number.BitLen() > 128 {
		return errors.New("the state of a UUID has no int of 128 bits")
	}
	number.FillBytes(u.Bytes[:])
	for _, v := range d.All() {
		if v != n && !isPlain(v) {
			return fmt.Errorf("the state of a UUID holds a %s", kindOf(v))
		}
	}
	if d.Len() > 1 {
		u.state = d
	}
	return nil
}

// reconstruct is how protocols 0 and 1 make an instance of any class.
func reconstruct(m *decoding, _ *Global, args []any) (any, error) {
	if len(args) != 3 || args[2] != nil {
		return nil, nil
	}
	class, ok1 := args[0].(*Global)
	base, ok2 := args[1].(*Global)
	if !ok1 || !ok2 || !class.Is("uuid", "UUID") || !base.Is("builtins", "object") {
		return nil, nil
	}
	return m.newUUID(class), nil
}
