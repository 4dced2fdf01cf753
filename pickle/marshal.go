package pickle

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
)

// Containers have no JSON of their own: keys of a dict need not be strings, lists may share items or contain
// themselves, and objects may hold arrays, which this package does not know.

// refuseJSON returns the error for marshaling a container.
func refuseJSON(v any) error {
	return fmt.Errorf("pickle: a %T has no JSON of its own: use convert.WriteObject: %w", v, errors.ErrUnsupported)
}

// refuseUnmarshal returns the error for unmarshaling a container.
func refuseUnmarshal(v any) error {
	return fmt.Errorf("pickle: JSON does not say which of Python's values a %T holds: unmarshal it to Go values and build it from them: %w", v, errors.ErrUnsupported)
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

// UnmarshalText reads what [UUID.MarshalText] returns. An error leaves u as it was.
func (u *UUID) UnmarshalText(text []byte) error {
	var b [16]byte
	digits := bytes.ReplaceAll(text, []byte("-"), nil)
	if n, err := hex.Decode(b[:], digits[:min(len(digits), 33)]); err != nil || n != len(b) {
		return fmt.Errorf("pickle: %.40q is not a UUID", text)
	}
	*u = UUID{Bytes: b}
	return nil
}
