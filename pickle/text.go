package pickle

import (
	"bytes"
	"encoding/hex"
	"errors"

	"github.com/npygo/npy/internal/diag"
)

// The values print themselves as Python prints them, within the limits of the zero [Printer].

// String returns the list as [Repr] does.
func (v *List) String() string { return Repr(v) }

// String returns the tuple as [Repr] does.
func (v *Tuple) String() string { return Repr(v) }

// String returns the dict as [Repr] does.
func (v *Dict) String() string { return Repr(v) }

// String returns the OrderedDict as [Repr] does.
func (v *OrderedDict) String() string { return Repr(v) }

// String returns the defaultdict as [Repr] does.
func (v *DefaultDict) String() string { return Repr(v) }

// String returns the Counter as [Repr] does.
func (v *Counter) String() string { return Repr(v) }

// String returns the set as [Repr] does.
func (v *Set) String() string { return Repr(v) }

// String returns the frozenset as [Repr] does.
func (v *FrozenSet) String() string { return Repr(v) }

// String returns the bytearray as [Repr] does.
func (v *ByteArray) String() string { return Repr(v) }

// String returns the slice as [Repr] does.
func (v *Slice) String() string { return Repr(v) }

// String returns the range as [Repr] does.
func (v *Range) String() string { return Repr(v) }

// String returns the name as [Repr] does.
func (v *Global) String() string { return Repr(v) }

// String returns the Decimal as [Repr] does.
func (v *Decimal) String() string { return Repr(v) }

// String returns the Fraction as [Repr] does.
func (v *Fraction) String() string { return Repr(v) }

// String returns the UUID as [Repr] does.
func (v *UUID) String() string { return Repr(v) }

// String returns the object as [Repr] does.
func (v *Object) String() string { return Repr(v) }

// String returns the datetime as [Repr] does.
func (v *Datetime) String() string { return Repr(v) }

// String returns the date as [Repr] does.
func (v *Date) String() string { return Repr(v) }

// String returns the time as [Repr] does.
func (v *Time) String() string { return Repr(v) }

// String returns the timedelta as [Repr] does.
func (v *Timedelta) String() string { return Repr(v) }

// String returns the timezone as [Repr] does.
func (v *TimeZone) String() string { return Repr(v) }

// appendRepr appends the repr of v, cut to about limit bytes.
func appendRepr(dst []byte, v any, limit int) []byte {
	return (&Printer{MaxBytes: max(limit, 1)}).Append(dst, v)
}

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *List) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Tuple) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Dict) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *OrderedDict) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *DefaultDict) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Counter) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Set) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *FrozenSet) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *ByteArray) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Slice) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Range) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Global) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Decimal) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Fraction) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *UUID) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Object) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Datetime) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Date) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Time) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *Timedelta) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// AppendRepr appends Python's repr of the value, cut to about limit bytes.
func (v *TimeZone) AppendRepr(dst []byte, limit int) []byte { return appendRepr(dst, v, limit) }

// Containers have no JSON of their own: keys of a dict need not be strings, lists may share items or contain
// themselves, and objects may hold arrays, which this package does not know.

// refuseJSON returns the error for marshaling a container.
func refuseJSON(v any) error {
	return diag.Errorf("pickle", "a %T has no JSON of its own: use convert.WriteObject: %w", v, errors.ErrUnsupported)
}

// refuseUnmarshal returns the error for unmarshaling a container.
func refuseUnmarshal(v any) error {
	return diag.Errorf("pickle", "JSON does not say which of Python's values a %T holds: unmarshal it to Go values and build it from them: %w", v, errors.ErrUnsupported)
}

// MarshalJSON returns an error: convert.WriteObject writes objects as JSON.
func (d *Dict) MarshalJSON() ([]byte, error) { return nil, refuseJSON(d) }

// UnmarshalJSON returns an error: JSON does not say which of Python's values are meant.
func (d *Dict) UnmarshalJSON([]byte) error { return refuseUnmarshal(d) }

// MarshalJSON returns an error: convert.WriteObject writes objects as JSON.
func (s *Set) MarshalJSON() ([]byte, error) { return nil, refuseJSON(s) }

// UnmarshalJSON returns an error: JSON does not say which of Python's values are meant.
func (s *Set) UnmarshalJSON([]byte) error { return refuseUnmarshal(s) }

// MarshalJSON returns an error: convert.WriteObject writes objects as JSON.
func (s *FrozenSet) MarshalJSON() ([]byte, error) { return nil, refuseJSON(s) }

// UnmarshalJSON returns an error: JSON does not say which of Python's values are meant.
func (s *FrozenSet) UnmarshalJSON([]byte) error { return refuseUnmarshal(s) }

// MarshalJSON returns an error: convert.WriteObject writes objects as JSON.
func (l *List) MarshalJSON() ([]byte, error) { return nil, refuseJSON(l) }

// UnmarshalJSON returns an error: JSON does not say which of Python's values are meant.
func (l *List) UnmarshalJSON([]byte) error { return refuseUnmarshal(l) }

// MarshalJSON returns an error: convert.WriteObject writes objects as JSON.
func (t *Tuple) MarshalJSON() ([]byte, error) { return nil, refuseJSON(t) }

// UnmarshalJSON returns an error: JSON does not say which of Python's values are meant.
func (t *Tuple) UnmarshalJSON([]byte) error { return refuseUnmarshal(t) }

// MarshalJSON returns an error: convert.WriteObject writes objects as JSON.
func (o *Object) MarshalJSON() ([]byte, error) { return nil, refuseJSON(o) }

// UnmarshalJSON returns an error: JSON does not say which of Python's values are meant.
func (o *Object) UnmarshalJSON([]byte) error { return refuseUnmarshal(o) }

// MarshalText returns the 32 digits with hyphens, as Python's str does.
func (u *UUID) MarshalText() ([]byte, error) { return []byte(u.text()), nil }

// UnmarshalText reads 32 hexadecimal digits, with hyphens or without. An error leaves u as it was.
func (u *UUID) UnmarshalText(text []byte) error {
	var b [16]byte
	digits := bytes.ReplaceAll(text, []byte("-"), nil)
	if n, err := hex.Decode(b[:], digits[:min(len(digits), 33)]); err != nil || n != len(b) {
		return diag.Errorf("pickle", "%.40q is not a UUID", text)
	}
	*u = UUID{Bytes: b}
	return nil
}
