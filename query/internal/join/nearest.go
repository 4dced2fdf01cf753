package join

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/expression"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A passed is the last right row that is not after the left row.
type passed struct {
	key   []uint64 // nil if there is none
	value uint64
	place int
}

// nearest returns the function that finds the right row of an asof join: of rows with the same first by words, the last before the left
// row or the first after it, or the nearer of both. The left row itself counts as before and as after.
func (m *matcher) nearest(on fields.Place, by int) (func() (match, error), error) {
	most, err := tolerance(m.how.Tolerance, on.DType)
	if err != nil {
		return nil, err
	}
	isFloat := elem.KindOf(on.DType) == dtype.KindFloat
	missing := sortkey.MissingOf(on.DType)
	item := func(c *cursor) []byte { return c.row()[on.Offset : on.Offset+8] }
	value := func(c *cursor) uint64 { return bulk.Uint(item(c), on.DType.ByteOrder() == dtype.BigEndian) }
	isMissing := func(c *cursor) bool { return missing != nil && missing(item(c)) }
	limit := 0 // a right row is before a left row if it compares less than this
	if m.how.Direction != forward {
		limit = 1
	}
	var last passed
	return func() (match, error) {
		if isMissing(&m.left) {
			return match{}, nil
		}
		key, x := m.left.key(), value(&m.left)
		ok, err := m.right.has()
		for ; err == nil && ok && slices.Compare(m.right.key(), key) < limit; ok, err = m.right.has() {
			last.key, last.value, last.place = append(last.key[:0], m.right.key()...), value(&m.right), m.right.place()
			m.right.i++
		}
		if err != nil {
			return match{}, err
		}
		before, after := uint64(math.MaxUint64), uint64(math.MaxUint64)
		found, follows := false, false
		if m.how.Direction != forward && last.key != nil && slices.Equal(last.key[:by], key[:by]) {
			before = distance(last.value, x, isFloat)
			found = most == nil || before <= *most
		}
		if m.how.Direction != backward && ok && slices.Equal(m.right.key()[:by], key[:by]) && !isMissing(&m.right) {
			after = distance(x, value(&m.right), isFloat)
			follows = most == nil || after <= *most
		}
		switch {
		case found && (!follows || before <= after):
			return match{last.place, 1}, nil
		case follows:
			return match{m.right.place(), 1}, nil
		}
		return match{}, nil
	}, nil
}

// distance returns the distance of two values as a number that compares as the distances do. high is not less than low.
func distance(low, high uint64, isFloat bool) uint64 {
	if !isFloat {
		return high - low
	}
	a, b := math.Float64frombits(low), math.Float64frombits(high)
	if a == b {
		return 0
	}
	return math.Float64bits(b - a)
}

// tolerance returns the largest distance of a match, or nil for any.
func tolerance(text string, t dtype.Type) (*uint64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return nil, nil
	}
	var most *big.Rat
	kind := elem.KindOf(t)
	if kind == dtype.KindDatetime || kind == dtype.KindTimedelta {
		ticks, err := expression.Ticks(text, t.Step())
		if err != nil {
			return nil, diag.Errorf("query", "tolerance %q: keys of dtype %s need a duration, such as '5 min', '1.5 h' or '30 D'", text, t)
		}
		most = ticks
	} else if x, ok := new(big.Rat).SetString(text); ok && len(text) < 50 {
		most = x
	}
	if most == nil || most.Sign() < 0 {
		return nil, diag.Errorf("query", "tolerance %q: want a number of 0 or more for keys of dtype %s", text, t)
	}
	if kind == dtype.KindFloat {
		x, _ := most.Float64()
		bits := math.Float64bits(x)
		return &bits, nil
	}
	floor := new(big.Int).Quo(most.Num(), most.Denom())
	if !floor.IsUint64() {
		return nil, nil
	}
	x := floor.Uint64()
	return &x, nil
}
