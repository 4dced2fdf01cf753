package scalar

import (
	"encoding/json"
	"reflect"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/jsontext"
)

// The text and JSON of every number represent its value, not its bits, and read back to it. JSON numbers are used where
// possible, as package convert does for arrays. Without the text methods the keys of maps would be bits.

// marshalNumber returns a number as JSON, or a string for NaN, the infinities and NaT.
func marshalNumber(text []byte) ([]byte, error) { return jsontext.CloseNumber(text, 0), nil }

// unmarshalNumber reads the output of marshalNumber into x. A string may contain any text that parse accepts, since
// package encoding/json passes the keys of maps as strings. null leaves x unchanged, as in encoding/json, and so does
// an error.
func unmarshalNumber[T any](x *T, data []byte, parse func(string) (T, error)) error {
	s := jsontext.Scanner{Text: string(data), End: len(data), Failed: func(at int, err error) error {
		return diag.Errorf("scalar", "byte %d of JSON: %w", at, err)
	}}
	t, err := s.Token()
	if err != nil {
		return err
	}
	if s.Peek(); s.Pos < s.End {
		return s.Fail(s.Pos, "text after the value")
	}
	switch t.Kind {
	case jsontext.Null:
		return nil
	case jsontext.Bool:
		return &json.UnmarshalTypeError{Value: t.Kind.String(), Type: reflect.TypeFor[T](), Offset: int64(t.At)}
	}
	return unmarshalText(x, []byte(t.Text), parse)
}

// unmarshalText parses a text into x. An error leaves x unchanged.
func unmarshalText[T any](x *T, text []byte, parse func(string) (T, error)) error {
	v, err := parse(string(text))
	if err == nil {
		*x = v
	}
	return err
}

// MarshalText returns the text of [Float16.Append].
func (h Float16) MarshalText() ([]byte, error) { return h.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat16] does. An error leaves h unchanged.
func (h *Float16) UnmarshalText(text []byte) error { return unmarshalText(h, text, ParseFloat16) }

// MarshalJSON returns a number with the fewest digits that read back to h, or the string "NaN", "Infinity" or
// "-Infinity".
func (h Float16) MarshalJSON() ([]byte, error) { return marshalNumber(h.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat16] reads, and rounds as ParseFloat16 does.
// An error leaves h unchanged.
func (h *Float16) UnmarshalJSON(data []byte) error { return unmarshalNumber(h, data, ParseFloat16) }

// MarshalText returns the text of [BFloat16.Append].
func (b BFloat16) MarshalText() ([]byte, error) { return b.Append(nil), nil }

// UnmarshalText reads text as [ParseBFloat16] does. An error leaves b unchanged.
func (b *BFloat16) UnmarshalText(text []byte) error { return unmarshalText(b, text, ParseBFloat16) }

// MarshalJSON returns a number with the fewest digits that read back to b, or the string "NaN", "Infinity" or
// "-Infinity".
func (b BFloat16) MarshalJSON() ([]byte, error) { return marshalNumber(b.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseBFloat16] reads, and rounds as ParseBFloat16 does.
// An error leaves b unchanged.
func (b *BFloat16) UnmarshalJSON(data []byte) error { return unmarshalNumber(b, data, ParseBFloat16) }

// MarshalText returns the text of [Float8E5M2.Append].
func (f Float8E5M2) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat8E5M2] does. An error leaves f unchanged.
func (f *Float8E5M2) UnmarshalText(text []byte) error { return unmarshalText(f, text, ParseFloat8E5M2) }

// MarshalJSON returns a number with the fewest digits that read back to f, or the string "NaN", "Infinity" or
// "-Infinity".
func (f Float8E5M2) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat8E5M2] reads, and rounds as ParseFloat8E5M2 does.
// An error leaves f unchanged.
func (f *Float8E5M2) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat8E5M2)
}

// MarshalText returns the text of [Float8E3M4.Append].
func (f Float8E3M4) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat8E3M4] does. An error leaves f unchanged.
func (f *Float8E3M4) UnmarshalText(text []byte) error { return unmarshalText(f, text, ParseFloat8E3M4) }

// MarshalJSON returns a number with the fewest digits that read back to f, or the string "NaN", "Infinity" or
// "-Infinity".
func (f Float8E3M4) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat8E3M4] reads, and rounds as ParseFloat8E3M4 does.
// An error leaves f unchanged.
func (f *Float8E3M4) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat8E3M4)
}

// MarshalText returns the text of [Float8E4M3.Append].
func (f Float8E4M3) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat8E4M3] does. An error leaves f unchanged.
func (f *Float8E4M3) UnmarshalText(text []byte) error { return unmarshalText(f, text, ParseFloat8E4M3) }

// MarshalJSON returns a number with the fewest digits that read back to f, or the string "NaN", "Infinity" or
// "-Infinity".
func (f Float8E4M3) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat8E4M3] reads, and rounds as ParseFloat8E4M3 does.
// An error leaves f unchanged.
func (f *Float8E4M3) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat8E4M3)
}

// MarshalText returns the text of [Float8E4M3FN.Append].
func (f Float8E4M3FN) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat8E4M3FN] does. An error leaves f unchanged.
func (f *Float8E4M3FN) UnmarshalText(text []byte) error {
	return unmarshalText(f, text, ParseFloat8E4M3FN)
}

// MarshalJSON returns a number with the fewest digits that read back to f, or the string "NaN".
func (f Float8E4M3FN) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat8E4M3FN] reads, and rounds as ParseFloat8E4M3FN does.
// An error leaves f unchanged.
func (f *Float8E4M3FN) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat8E4M3FN)
}

// MarshalText returns the text of [Float8E8M0FNU.Append].
func (f Float8E8M0FNU) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat8E8M0FNU] does. An error leaves f unchanged.
func (f *Float8E8M0FNU) UnmarshalText(text []byte) error {
	return unmarshalText(f, text, ParseFloat8E8M0FNU)
}

// MarshalJSON returns a number with the fewest digits that read back to f, or the string "NaN".
func (f Float8E8M0FNU) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat8E8M0FNU] reads, and rounds as ParseFloat8E8M0FNU does.
// An error leaves f unchanged.
func (f *Float8E8M0FNU) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat8E8M0FNU)
}

// MarshalText returns the text of [Float8E4M3FNUZ.Append].
func (f Float8E4M3FNUZ) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat8E4M3FNUZ] does. An error leaves f unchanged.
func (f *Float8E4M3FNUZ) UnmarshalText(text []byte) error {
	return unmarshalText(f, text, ParseFloat8E4M3FNUZ)
}

// MarshalJSON returns a number with the fewest digits that read back to f, or the string "NaN".
func (f Float8E4M3FNUZ) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat8E4M3FNUZ] reads, and rounds as ParseFloat8E4M3FNUZ
// does. An error leaves f unchanged.
func (f *Float8E4M3FNUZ) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat8E4M3FNUZ)
}

// MarshalText returns the text of [Float8E4M3B11FNUZ.Append].
func (f Float8E4M3B11FNUZ) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat8E4M3B11FNUZ] does. An error leaves f unchanged.
func (f *Float8E4M3B11FNUZ) UnmarshalText(text []byte) error {
	return unmarshalText(f, text, ParseFloat8E4M3B11FNUZ)
}

// MarshalJSON returns a number with the fewest digits that read back to f, or the string "NaN".
func (f Float8E4M3B11FNUZ) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat8E4M3B11FNUZ] reads, and rounds as
// ParseFloat8E4M3B11FNUZ does. An error leaves f unchanged.
func (f *Float8E4M3B11FNUZ) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat8E4M3B11FNUZ)
}

// MarshalText returns the text of [Float8E5M2FNUZ.Append].
func (f Float8E5M2FNUZ) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat8E5M2FNUZ] does. An error leaves f unchanged.
func (f *Float8E5M2FNUZ) UnmarshalText(text []byte) error {
	return unmarshalText(f, text, ParseFloat8E5M2FNUZ)
}

// MarshalJSON returns a number with the fewest digits that read back to f, or the string "NaN".
func (f Float8E5M2FNUZ) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat8E5M2FNUZ] reads, and rounds as ParseFloat8E5M2FNUZ
// does. An error leaves f unchanged.
func (f *Float8E5M2FNUZ) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat8E5M2FNUZ)
}

// MarshalText returns the text of [Float6E2M3FN.Append].
func (f Float6E2M3FN) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat6E2M3FN] does. An error leaves f unchanged.
func (f *Float6E2M3FN) UnmarshalText(text []byte) error {
	return unmarshalText(f, text, ParseFloat6E2M3FN)
}

// MarshalJSON returns a number with the fewest digits that read back to f.
func (f Float6E2M3FN) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat6E2M3FN] reads, and rounds as ParseFloat6E2M3FN does.
// An error leaves f unchanged.
func (f *Float6E2M3FN) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat6E2M3FN)
}

// MarshalText returns the text of [Float6E3M2FN.Append].
func (f Float6E3M2FN) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat6E3M2FN] does. An error leaves f unchanged.
func (f *Float6E3M2FN) UnmarshalText(text []byte) error {
	return unmarshalText(f, text, ParseFloat6E3M2FN)
}

// MarshalJSON returns a number with the fewest digits that read back to f.
func (f Float6E3M2FN) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat6E3M2FN] reads, and rounds as ParseFloat6E3M2FN does.
// An error leaves f unchanged.
func (f *Float6E3M2FN) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat6E3M2FN)
}

// MarshalText returns the text of [Float4E2M1FN.Append].
func (f Float4E2M1FN) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat4E2M1FN] does. An error leaves f unchanged.
func (f *Float4E2M1FN) UnmarshalText(text []byte) error {
	return unmarshalText(f, text, ParseFloat4E2M1FN)
}

// MarshalJSON returns a number with the fewest digits that read back to f.
func (f Float4E2M1FN) MarshalJSON() ([]byte, error) { return marshalNumber(f.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat4E2M1FN] reads, and rounds as ParseFloat4E2M1FN does.
// An error leaves f unchanged.
func (f *Float4E2M1FN) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(f, data, ParseFloat4E2M1FN)
}

// MarshalText returns the text of [LongDouble.Append].
func (x LongDouble) MarshalText() ([]byte, error) { return x.Append(nil), nil }

// UnmarshalText reads text as [ParseLongDouble] does. An error leaves x unchanged.
func (x *LongDouble) UnmarshalText(text []byte) error { return unmarshalText(x, text, ParseLongDouble) }

// MarshalJSON returns a number with the fewest digits that read back to x, or the string "NaN", "Infinity" or
// "-Infinity".
func (x LongDouble) MarshalJSON() ([]byte, error) { return marshalNumber(x.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseLongDouble] reads, and rounds as ParseLongDouble does.
// An error leaves x unchanged.
func (x *LongDouble) UnmarshalJSON(data []byte) error {
	return unmarshalNumber(x, data, ParseLongDouble)
}

// MarshalText returns the text of [Float128.Append].
func (x Float128) MarshalText() ([]byte, error) { return x.Append(nil), nil }

// UnmarshalText reads text as [ParseFloat128] does. An error leaves x unchanged.
func (x *Float128) UnmarshalText(text []byte) error { return unmarshalText(x, text, ParseFloat128) }

// MarshalJSON returns a number with the fewest digits that read back to x, or the string "NaN", "Infinity" or
// "-Infinity".
func (x Float128) MarshalJSON() ([]byte, error) { return marshalNumber(x.Append(nil)) }

// UnmarshalJSON reads a JSON number, or a string that [ParseFloat128] reads, and rounds as ParseFloat128 does.
// An error leaves x unchanged.
func (x *Float128) UnmarshalJSON(data []byte) error { return unmarshalNumber(x, data, ParseFloat128) }

// MarshalText returns the text of [Complex32.Append], which JSON has as a string.
func (c Complex32) MarshalText() ([]byte, error) { return c.Append(nil), nil }

// UnmarshalText reads text as [ParseComplex32] does. An error leaves c unchanged.
func (c *Complex32) UnmarshalText(text []byte) error { return unmarshalText(c, text, ParseComplex32) }

// MarshalText returns the text of [LongComplex.Append], which JSON has as a string.
func (c LongComplex) MarshalText() ([]byte, error) { return c.Append(nil), nil }

// UnmarshalText reads text as [ParseLongComplex] does. An error leaves c unchanged.
func (c *LongComplex) UnmarshalText(text []byte) error {
	return unmarshalText(c, text, ParseLongComplex)
}
