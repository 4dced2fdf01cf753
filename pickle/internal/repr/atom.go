package repr

import (
	"bytes"
	"math/big"
	"strconv"

	"github.com/npygo/npy/internal/pylit"
)

// AppendAtom appends the repr of a value without parts, and reports whether v is one: None, a bool, a number, a str or
// bytes.
func AppendAtom(dst []byte, v any) ([]byte, bool) {
	switch v := v.(type) {
	case nil:
		return append(dst, "None"...), true
	case bool:
		if v {
			return append(dst, "True"...), true
		}
		return append(dst, "False"...), true
	case int64:
		return strconv.AppendInt(dst, v, 10), true
	case *big.Int:
		return appendBigInt(dst, v), true
	case float64:
		return pylit.AppendFloat(dst, v), true
	case complex128:
		return pylit.AppendComplex(dst, v), true
	case string:
		return pylit.AppendRepr(dst, v), true
	case []byte:
		return pylit.AppendBytesRepr(dst, string(v)), true
	}
	return dst, false
}

// maxIntBits is the size of the largest int that is printed by its digits: the conversion takes more than linear time.
const maxIntBits = 1 << 20

// appendBigInt appends an int, or the number of its bits if it is very large.
func appendBigInt(dst []byte, n *big.Int) []byte {
	if n == nil {
		return append(dst, "<nil>"...)
	}
	if bits := n.BitLen(); bits > maxIntBits {
		return append(strconv.AppendInt(append(dst, "<int of "...), int64(bits), 10), " bits>"...)
	}
	return n.Append(dst, 10)
}

// AppendByteArray appends the repr of a bytearray. In contrast to bytes, Python escapes single quotes also between double
// ones.
func AppendByteArray(dst, b []byte) []byte {
	text := pylit.AppendBytesRepr(nil, string(b))
	if text[1] == '"' {
		text = bytes.ReplaceAll(text, []byte("'"), []byte(`\'`))
	}
	return append(append(append(dst, "bytearray("...), text...), ')')
}
