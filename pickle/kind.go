package pickle

import (
	"fmt"
	"math/big"

	"github.com/npygo/npy/pickle/internal/literal"
	"github.com/npygo/npy/pickle/internal/machine"
)

// TypeName returns the name that Python gives to the type of a value: int, NoneType, OrderedDict. The type of an [*Object] is
// its class with the module, or "object" if the class is not a [*Global]. The type of a *Global is "type". Types of other
// packages have their names in Go.
func TypeName(v any) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64, *big.Int:
		return "int"
	case float64:
		return "float"
	case complex128:
		return "complex"
	case string, *machine.RawText:
		return "str"
	case []byte:
		return "bytes"
	case *ByteArray:
		return "bytearray"
	case *List:
		return "list"
	case *Tuple:
		return "tuple"
	case *Dict:
		return "dict"
	case *OrderedDict:
		return "OrderedDict"
	case *DefaultDict:
		return "defaultdict"
	case *Counter:
		return "Counter"
	case *Set:
		return "set"
	case *FrozenSet:
		return "frozenset"
	case *Slice:
		return "slice"
	case *Range:
		return "range"
	case Singleton:
		if v == Ellipsis {
			return "ellipsis"
		}
		return string(v) + "Type"
	case *Datetime:
		return "datetime"
	case *Date:
		return "date"
	case *Time:
		return "time"
	case *Timedelta:
		return "timedelta"
	case *TimeZone:
		return "timezone"
	case *Decimal:
		return "Decimal"
	case *Fraction:
		return "Fraction"
	case *UUID:
		return "UUID"
	case *Global:
		return "type"
	case *Object:
		if g, ok := v.Class.(*Global); ok {
			return g.Module + "." + g.Name
		}
		return "object"
	}
	return fmt.Sprintf("%T", v)
}

// kindOf names a value in errors.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case *machine.RawText:
		return "Python 2 str"
	case *Global:
		return "global " + literal.Quoted([]byte(v.Module+"."+v.Name))
	case *Object:
		return "object of an unknown class"
	}
	return TypeName(v)
}

// callable refuses a value that certainly is not a class or function.
func callable(v any) error {
	switch v.(type) {
	case nil, bool, int64, *big.Int, float64, complex128, string, []byte, *machine.RawText, *ByteArray, *List, *Tuple, *Dict, *OrderedDict,
		*DefaultDict, *Counter, *Set, *FrozenSet, *Slice, *Range, Singleton, *Datetime, *Date, *Time, *Timedelta, *TimeZone,
		*Decimal, *Fraction, *UUID:
		return fmt.Errorf("a %s cannot be called", kindOf(v))
	}
	return nil
}
