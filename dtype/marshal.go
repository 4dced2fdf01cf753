package dtype

import (
	"strconv"
	"strings"

	"github.com/npygo/npy/internal/diag"
)

// MarshalText returns a text that [Parse] reads back as t. It is the descr, with the types of ml_dtypes by name:
// "bfloat16" and not "<V2". The text of the zero Type is empty. A big-endian type of ml_dtypes has no such text:
// MarshalText returns an error.
func (t Type) MarshalText() ([]byte, error) {
	if !t.IsValid() {
		return []byte{}, nil
	}
	if named, ok := t.foreignName(); ok {
		return nil, diag.Errorf("dtype", "%s in byte order %q cannot be written as text: convert it with WithByteOrder(LittleEndian)", named.ext.name, named.order)
	}
	if t.IsStruct() || t.IsSubarray() {
		return t.appendLiteral(nil, Type.appendName), nil
	}
	return t.appendName(nil), nil
}

// UnmarshalText sets t to the result of [Parse]. The empty text is the zero Type. After an error t is unchanged.
func (t *Type) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*t = Type{}
		return nil
	}
	parsed, err := Parse(string(text))
	if err == nil {
		*t = parsed
	}
	return err
}

// appendName appends the name of a type of ml_dtypes, and the code of any other type.
func (t Type) appendName(dst []byte) []byte {
	if t.ext != nil && t.ext.name != "" {
		return append(dst, t.ext.name...)
	}
	return t.appendCode(dst)
}

// foreignName returns the first type of ml_dtypes in t whose byte order is not the one that its name implies.
func (t Type) foreignName() (Type, bool) {
	switch {
	case t.IsSubarray():
		return t.ext.base.foreignName()
	case t.IsStruct():
		for _, f := range t.ext.fields {
			if named, ok := f.DType.foreignName(); ok {
				return named, true
			}
		}
		return t, false
	}
	if t.ext == nil || t.ext.name == "" || t.size == 1 {
		return t, false
	}
	read, err := Parse(t.ext.name)
	return t, err != nil || read.order != t.order
}

// MarshalText returns [Kind.String], and the empty text for 0. A letter that is not a kind is an error.
func (k Kind) MarshalText() ([]byte, error) {
	if k == 0 {
		return []byte{}, nil
	}
	for _, known := range kinds {
		if k == known {
			return []byte(k.String()), nil
		}
	}
	return nil, diag.Errorf("dtype", "NumPy has no kind %q", byte(k))
}

// UnmarshalText reads the text of [Kind.MarshalText]. After an error k is unchanged.
func (k *Kind) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*k = 0
		return nil
	}
	for _, known := range kinds {
		if string(text) == known.String() {
			*k = known
			return nil
		}
	}
	return diag.Errorf("dtype", "%s is not the kind of a dtype, want a word such as float or datetime", quote(string(text)))
}

// MarshalText returns the order character, and the empty text for 0. Any other character is an error.
func (o ByteOrder) MarshalText() ([]byte, error) {
	switch o {
	case 0:
		return []byte{}, nil
	case LittleEndian, BigEndian, NoByteOrder:
		return []byte{byte(o)}, nil
	}
	return nil, diag.Errorf("dtype", "%q is not a byte order", byte(o))
}

// UnmarshalText reads the text of [ByteOrder.MarshalText]. After an error o is unchanged.
func (o *ByteOrder) UnmarshalText(text []byte) error {
	switch order := string(text); order {
	case "":
		*o = 0
	case "<", ">", "|":
		*o = ByteOrder(order[0])
	default:
		return diag.Errorf("dtype", "%s is not a byte order, want <, > or |", quote(order))
	}
	return nil
}

// MarshalText returns [Unit.String]. A number that is not a unit of NumPy is an error.
func (u Unit) MarshalText() ([]byte, error) {
	if int(u) >= len(unitCodes) {
		return nil, diag.Errorf("dtype", "NumPy has no unit %d", u)
	}
	return []byte(u.String()), nil
}

// UnmarshalText reads the text of [Unit.MarshalText]. After an error u is unchanged.
func (u *Unit) UnmarshalText(text []byte) error {
	for i, code := range unitCodes {
		if string(text) == code {
			*u = Unit(i)
			return nil
		}
	}
	return diag.Errorf("dtype", "%s is not a unit of time, want one of Y M W D h m s ms us ns ps fs as generic", quote(string(text)))
}

// MarshalText returns the text of [Step.String]: "25s".
func (s Step) MarshalText() ([]byte, error) {
	if _, err := s.Unit.MarshalText(); err != nil {
		return nil, err
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads the text of [Step.MarshalText]. A unit without a number is one unit. After an error s is
// unchanged.
func (s *Step) UnmarshalText(text []byte) error {
	code := strings.TrimLeft(string(text), "0123456789")
	digits := string(text[:len(text)-len(code)])
	step := Step{Num: 1}
	if err := step.Unit.UnmarshalText([]byte(code)); err != nil {
		return err
	}
	switch n, err := strconv.ParseInt(digits, 10, 32); {
	case digits == "" && step.Unit == Generic:
		step.Num = 0
	case digits == "":
	case err != nil || step.Unit == Generic:
		return diag.Errorf("dtype", "%s is not a step of time, want a unit with an optional count, as in 25s", quote(string(text)))
	default:
		step.Num = int32(n)
	}
	*s = step
	return nil
}
