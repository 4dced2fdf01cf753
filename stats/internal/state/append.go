package state

import (
	"encoding/binary"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/moments"
)

// maxType limits the length of the text of a dtype.
const maxType = format.DefaultMaxHeader

// Begin returns the head of a state: eight bytes, of which the last is a version, and the dtype of the elements.
func Begin(magic string, t dtype.Type) ([]byte, error) {
	text, err := t.MarshalText()
	if err != nil {
		return nil, diag.Wrap("stats", err)
	}
	if again, err := dtype.Parse(string(text)); err != nil || !again.Equal(t) || len(text) > maxType {
		return nil, diag.Errorf("stats", "dtype %.100s cannot be written as a text of up to %d bytes", t, maxType)
	}
	return append(AppendUints([]byte(magic), uint64(len(text))), text...), nil
}

// AppendUints appends numbers.
func AppendUints(dst []byte, xs ...uint64) []byte {
	for _, x := range xs {
		dst = binary.AppendUvarint(dst, x)
	}
	return dst
}

// AppendCounts appends numbers that are not negative.
func AppendCounts(dst []byte, ns ...int64) []byte {
	for _, n := range ns {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	return dst
}

// AppendFloats appends numbers of 8 bytes.
func AppendFloats(dst []byte, xs ...float64) []byte {
	for _, x := range xs {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
	}
	return dst
}

// AppendSums appends sums of floats.
func AppendSums(dst []byte, s *moments.Sums) []byte {
	dst = AppendCounts(dst, s.PosInf, s.NegInf, OfBool(s.Wide))
	return s.Squares.AppendTo(s.Sum.AppendTo(dst))
}

// OfBool returns 1 for true and 0 for false.
func OfBool(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
