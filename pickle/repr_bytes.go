package pickle

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"unicode/utf16"
)

// arrayItem returns a number of 1, 2, 4 or 8 bytes: unsigned (u), signed (i) or a float (f).
func arrayItem(b []byte, isBig bool, kind byte) any {
	var raw [8]byte
	copy(raw[:], b)
	if isBig {
		slices.Reverse(raw[:len(b)])
	}
	n := binary.LittleEndian.Uint64(raw[:])
	unused := 64 - 8*len(b)
	switch {
	case kind == 'f' && len(b) == 4:
		return float64(math.Float32frombits(uint32(n)))
	case kind == 'f':
		return math.Float64frombits(n)
	case kind == 'i':
		return int64(n<<unused) >> unused
	case n > math.MaxInt64:
		return new(big.Int).SetUint64(n)
	}
	return int64(n)
}

// textOfUnits returns the text of units of UTF-16 or UTF-32, by their size.
func textOfUnits(units []uint32, size int) string {
	if size == 4 {
		runes := make([]byte, 0, len(units))
		for _, u := range units {
			runes = appendRune(runes, rune(u))
		}
		return string(runes)
	}
	short := make([]uint16, len(units))
	for i, u := range units {
		short[i] = uint16(u)
	}
	return string(utf16.Decode(short))
}
