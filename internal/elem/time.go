package elem

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/scalar"
)

func datetimeCodec(t dtype.Type) codec {
	big, step := isBig(t), t.Step()
	c := codec{
		format: func(dst, item []byte) ([]byte, error) {
			return scalar.Datetime64{Ticks: int64(bulk.Uint(item[:8], big))}.Append(dst, step), nil
		},
		parse: func(item []byte, text string) error {
			at, err := scalar.ParseDatetime64(text, step)
			bulk.PutUint(item[:8], uint64(at.Ticks), big)
			return Refuse(t, text, err)
		},
	}
	if step.Unit == dtype.Generic {
		c.parse = ticksParser(t)
	}
	return c
}

func (x Texts) timedeltaCodec(t dtype.Type) codec {
	big, step := isBig(t), t.Step()
	ticks := ticksParser(t)
	c := codec{
		format: func(dst, item []byte) ([]byte, error) {
			return scalar.Timedelta64{Ticks: int64(bulk.Uint(item[:8], big))}.AppendCount(dst), nil
		},
		parse: func(item []byte, text string) error {
			if !strings.HasSuffix(text, "s") { // as all names of units do
				return ticks(item, text)
			}
			d, err := scalar.ParseTimedelta64(text, step)
			bulk.PutUint(item[:8], uint64(d.Ticks), big)
			return Refuse(t, text, err)
		},
	}
	if x.Units {
		c.format = func(dst, item []byte) ([]byte, error) {
			return scalar.Timedelta64{Ticks: int64(bulk.Uint(item[:8], big))}.Append(dst, step), nil
		}
	}
	return c
}

// ticksParser reads a number of ticks or NaT. The number that encodes NaT is out of range.
func ticksParser(t dtype.Type) ParseFunc {
	big := isBig(t)
	return func(item []byte, text string) error {
		x := int64(scalar.NaT)
		if text != "" && !strings.EqualFold(text, "nat") {
			var err error
			x, err = strconv.ParseInt(text, 10, 64)
			if err == nil && x == scalar.NaT {
				err = scalar.ErrRange
			}
			if err != nil {
				return Refuse(t, text, err)
			}
		}
		bulk.PutUint(item[:8], uint64(x), big)
		return nil
	}
}

// voidCodec is hexadecimal digits, and numbers for the named number types.
func (x Texts) voidCodec(t dtype.Type) (codec, error) {
	switch {
	case t.IsStruct() || t.IsSubarray():
		return codec{}, unsupported(t)
	case IsBFloat16(t):
		return x.infinite(halfPart(part{size: 2}, isBig(t), scalar.BFloat16.Append, scalar.ParseBFloat16)).codec(t), nil
	}
	if f, ok := SmallFloatOf(t); ok {
		return smallPart(part{size: 1}, false, f.Append, f.Parse).codec(t), nil
	}
	if n, ok := SmallIntOf(t); ok {
		return n.codec(t), nil
	}
	return codec{
		format: func(dst, item []byte) ([]byte, error) { return hex.AppendEncode(dst, item), nil },
		parse: func(item []byte, text string) error {
			if len(text) != 2*len(item) {
				return &Error{text, t, fmt.Errorf("%d characters given, want %d hexadecimal digits", len(text), 2*len(item))}
			}
			if _, err := hex.Decode(item, []byte(text)); err != nil {
				return &Error{text, t, scalar.ErrSyntax}
			}
			return nil
		},
	}, nil
}
