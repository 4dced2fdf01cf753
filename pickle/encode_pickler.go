package pickle

import (
	"fmt"
	"reflect"

	"github.com/npygo/npy/pickle/internal/encoder"
)

// A pickler writes one pickle. Nested values wait as tasks on a stack of its own, so that depth costs memory only.
type pickler struct {
	out      encoder.Writer
	protocol int
	reduce   func(v any) (*Object, error)
	rename   func(g *Global) (*Global, error)

	globals map[Global]*Global // the name written for each global
	modules map[string]moduleName
	foreign map[reflect.Type]int // kinds for the pointer types that Reduce knows
	kept    []*Object            // values made while writing; kept, so that no other value gets their addresses

	tasks   []task
	entered map[encoder.Key]int // how often each value that is memoised at its end is in progress; counted on deep stacks only
}

// A moduleName is the str of a module's name that was written first.
type moduleName struct {
	number uint32 // number in the memo
	read   bool   // the str comes from a pickle
}

// A task is a value that is partly written.
type task struct {
	value any         // *List, *Tuple, *Dict, *Set, *FrozenSet, *Object, or one of the parts below
	id    encoder.Key // the memo key for its end; zero for a value that is memoised already
	at    int         // the next item or stage; each pair of a dict counts two
}

// Parts of objects that are tasks of their own.
type (
	arguments   Tuple  // the arguments, one by one
	objectItems Object // the items appended to the result
	objectPairs Object // the pairs set on the result
)

// fail returns the error for a value; dump adds its place.
func fail(v any, err error) error { return &EncodeError{GoType: fmt.Sprintf("%T", v), Err: err} }

// keep keeps a value made while writing alive until the end, so that no other value gets its address.
func (p *pickler) keep(o *Object) *Object {
	p.kept = append(p.kept, o)
	return o
}

// kindForeign is the kind from which the types that only Reduce knows count down. The types of this package count down from
// encoder.KindPointer.
const kindForeign = -1000

// keyOf returns the key of a value.
func keyOf(v any) encoder.Key {
	if key, ok := encoder.KeyOf(v); ok {
		return key
	}
	kind := encoder.KindPointer
	switch v.(type) {
	case *List:
	case *Tuple:
		kind -= 1
	case *Dict:
		kind -= 2
	case *Set:
		kind -= 3
	case *FrozenSet:
		kind -= 4
	case *ByteArray:
		kind -= 5
	case *Object:
		kind -= 6
	case *Global:
		kind -= 7
	case *Slice, *Range, *OrderedDict, *DefaultDict, *Counter,
		*Datetime, *Date, *Time, *Timedelta, *TimeZone, *Decimal, *Fraction, *UUID:
		kind -= 8 // these are never at an address inside one another
	default:
		return encoder.Key{}
	}
	return encoder.Key{Address: reflect.ValueOf(v).Pointer(), Kind: kind}
}

// foreignKey returns the key of a value of a type that only Reduce knows. Only pointers have a key.
func (p *pickler) foreignKey(v any) encoder.Key {
	t := reflect.TypeOf(v)
	if t.Kind() != reflect.Pointer {
		return encoder.Key{}
	}
	kind, ok := p.foreign[t]
	if !ok {
		kind = kindForeign - len(p.foreign)
		p.foreign[t] = kind
	}
	return encoder.Key{Address: reflect.ValueOf(v).Pointer(), Kind: kind}
}
