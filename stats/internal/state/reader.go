package state

import (
	"encoding/binary"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/moments"
)

// MaxItems limits the items of a column, so that neither their number nor a sum of them overflows.
const MaxItems = 1 << 62

// ErrDamaged is the error for bytes that no MarshalBinary has written.
var ErrDamaged = diag.New("stats", "the bytes of an Accumulator are damaged or cut short")

// A Reader is the unread rest of the bytes of a state. After bytes that MarshalBinary cannot have written, all numbers are 0.
type Reader struct {
	data []byte
	bad  bool
}

// NewReader returns a Reader of bytes without a head.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Open reads the head that [Begin] has written. name is for the error, with an article.
func Open(data []byte, magic, name string) (*Reader, dtype.Type, error) {
	r := &Reader{data: data}
	if head := r.take(len(magic)); string(head) != magic {
		return nil, dtype.Type{}, diag.Errorf("stats", "these are not the bytes of %s, or a later version of this package wrote them", name)
	}
	text := r.take(int(r.Count(maxType)))
	if r.bad {
		return nil, dtype.Type{}, ErrDamaged
	}
	t, err := dtype.Parse(string(text))
	if err != nil {
		return nil, t, diag.Errorf("stats", "the dtype of an Accumulator: %w", err)
	}
	return r, t, nil
}

// Len returns the number of unread bytes. Each of the numbers that follow takes a byte at least.
func (r *Reader) Len() int { return len(r.data) }

// Bad reports whether the bytes are damaged so far.
func (r *Reader) Bad() bool { return r.bad }

// End returns ErrDamaged if the bytes are damaged, or if some are left.
func (r *Reader) End() error {
	if r.bad || len(r.data) > 0 {
		return ErrDamaged
	}
	return nil
}

// Check marks the bytes as damaged unless ok is set.
func (r *Reader) Check(ok bool) {
	if !ok {
		r.bad, r.data = true, nil
	}
}

// take reads the next n bytes.
func (r *Reader) take(n int) []byte {
	if r.Check(n <= len(r.data)); r.bad {
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// Uint reads a number of a varying number of bytes.
func (r *Reader) Uint() uint64 {
	x, n := binary.Uvarint(r.data)
	if r.Check(n > 0); r.bad {
		return 0
	}
	r.data = r.data[n:]
	return x
}

// Uints reads numbers.
func (r *Reader) Uints(xs []uint64) {
	for i := range xs {
		xs[i] = r.Uint()
	}
}

// Count reads a number from 0 to most.
func (r *Reader) Count(most int64) int64 {
	x := r.Uint()
	if r.Check(x <= uint64(most)); r.bad {
		return 0
	}
	return int64(x)
}

// Int reads a number of either sign.
func (r *Reader) Int() int64 {
	x, n := binary.Varint(r.data)
	if r.Check(n > 0); r.bad {
		return 0
	}
	r.data = r.data[n:]
	return x
}

// Uint64 reads a number of 8 bytes.
func (r *Reader) Uint64() uint64 {
	b := r.take(8)
	if r.bad {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// Float reads a float64.
func (r *Reader) Float() float64 { return math.Float64frombits(r.Uint64()) }

// Sums reads the sums of n floats.
func (r *Reader) Sums(n int64) *moments.Sums {
	out := &moments.Sums{PosInf: r.Count(n)}
	out.NegInf = r.Count(n - out.PosInf)
	out.N = n - out.PosInf - out.NegInf
	out.Wide = r.Count(1) == 1
	for _, e := range []*moments.Exact{&out.Sum, &out.Squares} {
		rest, err := e.Parse(r.data)
		r.Check(err == nil)
		r.data = rest
	}
	return out
}
