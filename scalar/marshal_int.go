package scalar

import (
	"errors"
	"strconv"
)

// MarshalText returns i in decimal.
func (i Int4) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText reads a decimal integer from -8 to 7. An error leaves i unchanged.
func (i *Int4) UnmarshalText(text []byte) error { return unmarshalText(i, text, parseInt4) }

// MarshalJSON returns i as a number.
func (i Int4) MarshalJSON() ([]byte, error) { return marshalNumber([]byte(i.String())) }

// UnmarshalJSON reads a JSON number, or a string of one, that is an integer from -8 to 7. An error leaves i unchanged.
func (i *Int4) UnmarshalJSON(data []byte) error { return unmarshalNumber(i, data, parseInt4) }

func parseInt4(s string) (Int4, error) { return parseSmallInt(s, "int4", Int4FromInt) }

// MarshalText returns u in decimal.
func (u Uint4) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText reads a decimal integer from 0 to 15. An error leaves u unchanged.
func (u *Uint4) UnmarshalText(text []byte) error { return unmarshalText(u, text, parseUint4) }

// MarshalJSON returns u as a number.
func (u Uint4) MarshalJSON() ([]byte, error) { return marshalNumber([]byte(u.String())) }

// UnmarshalJSON reads a JSON number, or a string of one, that is an integer from 0 to 15. An error leaves u unchanged.
func (u *Uint4) UnmarshalJSON(data []byte) error { return unmarshalNumber(u, data, parseUint4) }

func parseUint4(s string) (Uint4, error) { return parseSmallInt(s, "uint4", Uint4FromInt) }

// MarshalText returns i in decimal.
func (i Int2) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText reads a decimal integer from -2 to 1. An error leaves i unchanged.
func (i *Int2) UnmarshalText(text []byte) error { return unmarshalText(i, text, parseInt2) }

// MarshalJSON returns i as a number.
func (i Int2) MarshalJSON() ([]byte, error) { return marshalNumber([]byte(i.String())) }

// UnmarshalJSON reads a JSON number, or a string of one, that is an integer from -2 to 1. An error leaves i unchanged.
func (i *Int2) UnmarshalJSON(data []byte) error { return unmarshalNumber(i, data, parseInt2) }

func parseInt2(s string) (Int2, error) { return parseSmallInt(s, "int2", Int2FromInt) }

// MarshalText returns u in decimal.
func (u Uint2) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText reads a decimal integer from 0 to 3. An error leaves u unchanged.
func (u *Uint2) UnmarshalText(text []byte) error { return unmarshalText(u, text, parseUint2) }

// MarshalJSON returns u as a number.
func (u Uint2) MarshalJSON() ([]byte, error) { return marshalNumber([]byte(u.String())) }

// UnmarshalJSON reads a JSON number, or a string of one, that is an integer from 0 to 3. An error leaves u unchanged.
func (u *Uint2) UnmarshalJSON(data []byte) error { return unmarshalNumber(u, data, parseUint2) }

func parseUint2(s string) (Uint2, error) { return parseSmallInt(s, "uint2", Uint2FromInt) }

// parseSmallInt reads a decimal integer.
func parseSmallInt[T SmallInt](s, name string, from func(int) (T, bool)) (T, error) {
	var zero T
	i, err := strconv.Atoi(s)
	if errors.Is(err, strconv.ErrSyntax) {
		return zero, parseError(name, s, ErrSyntax)
	}
	x, ok := from(i)
	if err != nil || !ok {
		return zero, parseError(name, s, ErrRange)
	}
	return x, nil
}

// MarshalText returns the number of ticks, or NaT. The length of a tick is part of the dtype; [Datetime64.Format]
// includes the unit.
func (t Datetime64) MarshalText() ([]byte, error) { return appendCount(nil, t.Ticks), nil }

// UnmarshalText reads the output of [Datetime64.MarshalText]. An error leaves t unchanged.
func (t *Datetime64) UnmarshalText(text []byte) error {
	return unmarshalText(t, text, parseDatetime64Count)
}

// MarshalJSON returns the number of ticks, or the string "NaT". The length of a tick is part of the dtype.
func (t Datetime64) MarshalJSON() ([]byte, error) { return marshalNumber(appendCount(nil, t.Ticks)) }

// UnmarshalJSON reads a number of ticks, also in a string, or the string "NaT". An error leaves t unchanged.
func (t *Datetime64) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(t, data, parseDatetime64Count)
}

func parseDatetime64Count(s string) (Datetime64, error) {
	n, err := parseCount(s, "datetime64")
	return Datetime64{n}, err
}

// MarshalText returns the number of ticks, or NaT. The length of a tick is part of the dtype; [Timedelta64.Format]
// includes the unit.
func (d Timedelta64) MarshalText() ([]byte, error) { return appendCount(nil, d.Ticks), nil }

// UnmarshalText reads the output of [Timedelta64.MarshalText]. An error leaves d unchanged.
func (d *Timedelta64) UnmarshalText(text []byte) error {
	return unmarshalText(d, text, parseTimedelta64Count)
}

// MarshalJSON returns the number of ticks, or the string "NaT". The length of a tick is part of the dtype.
func (d Timedelta64) MarshalJSON() ([]byte, error) { return marshalNumber(appendCount(nil, d.Ticks)) }

// UnmarshalJSON reads a number of ticks, also in a string, or the string "NaT". An error leaves d unchanged.
func (d *Timedelta64) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(d, data, parseTimedelta64Count)
}

func parseTimedelta64Count(s string) (Timedelta64, error) {
	n, err := parseCount(s, "timedelta64")
	return Timedelta64{n}, err
}

// parseCount reads a number of ticks or NaT.
func parseCount(s, name string) (int64, error) {
	if s == "NaT" {
		return NaT, nil
	}
	ticks, err := strconv.ParseInt(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, parseError(name, s, ErrSyntax)
	case err != nil || ticks == NaT:
		return 0, parseError(name, s, ErrRange)
	}
	return ticks, nil
}
