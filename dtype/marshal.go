package dtype

import (
	"fmt"
	"strconv"
	"strings"
)

// MarshalText returns the text that [Parse] reads back as t: the descr, in which types of ml_dtypes have their names,
// "bfloat16" and not "<V2". That of the zero Type is empty. A big-endian type of ml_dtypes has no such text and is an error.
func (t Type) MarshalText() ([]byte, error) {
	if !t.IsValid() {
		return []byte{}, nil
	}
	if named, ok := t.foreignName(); ok {
		return nil, fmt.Errorf("dtype: %s in byte order %q has no text that reads back: convert it by WithByteOrder(LittleEndian)", named.ext.name, named.order)
	}
	if t.IsStruct() || t.IsSubarray() {
		return t.appendLiteral(nil, Type.appendName), nil
	}
	return t.appendName(nil), nil
}

// UnmarshalText reads what [Parse] does, and the empty text as the zero Type. An error leaves t as it was.
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

// appendName appends the name of a type of ml_dtypes, the code of all others.
func (t Type) appendName(dst []byte) []byte {
	if t.ext != nil && t.ext.name != "" {
		return append(dst, t.ext.name...)
	}
	return t.appendCode(dst)
}

// foreignName returns a type of ml_dtypes in t that is not in the byte order that its name stands for.
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

// MarshalText returns the word of [Kind.String], the empty text for 0. Other letters are an error.
func (k Kind) MarshalText() ([]byte, error) {
	if k == 0 {
		return []byte{}, nil
	}
	for _, known := range kinds {
		if k == known {
			return []byte(k.String()), nil
		}
	}
	return nil, fmt.Errorf("dtype: NumPy has no kind %q", byte(k))
}

// UnmarshalText reads what [Kind.MarshalText] returns. An error leaves k as it was.
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
	return fmt.Errorf("dtype: %s is not a kind of dtype", quote(string(text)))
}

// MarshalText returns the order character, the empty text for 0. What is none is an error.
func (o ByteOrder) MarshalText() ([]byte, error) {
	switch o {
	case 0:
		return []byte{}, nil
	case LittleEndian, BigEndian, NoByteOrder:
		return []byte{byte(o)}, nil
	}
	return nil, fmt.Errorf("dtype: %q is not a byte order", byte(o))
}

// UnmarshalText reads what [ByteOrder.MarshalText] returns. An error leaves o as it was.
func (o *ByteOrder) UnmarshalText(text []byte) error {
	switch order := string(text); order {
	case "":
		*o = 0
	case "<", ">", "|":
		*o = ByteOrder(order[0])
	default:
		return fmt.Errorf("dtype: %s is not a byte order, want <, > or |", quote(order))
	}
	return nil
}

// MarshalText returns the code of [Unit.String]. What NumPy has no unit for is an error.
func (u Unit) MarshalText() ([]byte, error) {
	if int(u) >= len(unitCodes) {
		return nil, fmt.Errorf("dtype: NumPy has no unit %d", u)
	}
	return []byte(u.String()), nil
}

// UnmarshalText reads what [Unit.MarshalText] returns. An error leaves u as it was.
func (u *Unit) UnmarshalText(text []byte) error {
	for i, code := range unitCodes {
		if string(text) == code {
			*u = Unit(i)
			return nil
		}
	}
	return fmt.Errorf("dtype: %s is not a unit of time", quote(string(text)))
}

// MarshalText returns the text of [Step.String]: "25s".
func (s Step) MarshalText() ([]byte, error) {
	if _, err := s.Unit.MarshalText(); err != nil {
		return nil, err
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads what [Step.MarshalText] returns. One unit has the number 1. An error leaves s as it was.
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
		return fmt.Errorf("dtype: %s is not a step of time", quote(string(text)))
	default:
		step.Num = int32(n)
	}
	*s = step
	return nil
}
