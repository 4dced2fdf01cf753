package convert

import (
	"slices"

	"github.com/npygo/npy/dtype"
)

// What the formats say of themselves stands in doc/formats.md in the same words: a test holds the two to each other.

const lostDType = "the dtype, unless it is given again when reading"

// dtypeLoss is that of formats that say no dtype. guessed reports of a plain one whether reading guesses it.
func dtypeLoss(guessed func(dtype.Type) bool) Loss {
	return Loss{What: lostDType, When: func(t dtype.Type, _ []int) bool { return !keepsDType(t, guessed) }}
}

// keepsDType reports whether all plain dtypes in t are guessed, and t is what is made of them.
func keepsDType(t dtype.Type, guessed func(dtype.Type) bool) bool {
	switch {
	case t.IsSubarray():
		return false
	case !t.IsStruct():
		return guessed(t)
	}
	size := 0
	for _, f := range t.Fields() {
		if f.DType.IsStruct() || f.Offset != size || !keepsDType(f.DType, guessed) {
			return false
		}
		size += f.DType.ItemSize()
	}
	return size == t.ItemSize()
}

// cellDType reports whether cells of t are taken for a t.
func cellDType(t dtype.Type) bool {
	return jsonDType(t) || t.Equal(dtype.Complex128) || t.Kind() == dtype.KindDatetime && t.IsNative()
}

// jsonDType reports whether values of t in JSON are taken for a t.
func jsonDType(t dtype.Type) bool {
	same := func(d dtype.Type) bool { return t.Equal(d) }
	return slices.ContainsFunc([]dtype.Type{dtype.Bool, dtype.Int64, dtype.Float64}, same) ||
		t.Kind() == dtype.KindStr && t.IsNative()
}

// tableShapeLoss is that of lines of cells.
func tableShapeLoss() Loss {
	return Loss{"an axis of length 1 at the end, and that there is none", func(_ dtype.Type, shape []int) bool {
		return len(shape) == 0 || len(shape) == 2 && shape[1] == 1
	}}
}

// emptyShapeLoss is that of text without elements.
func emptyShapeLoss() Loss {
	return Loss{"the axes behind one of length 0", func(_ dtype.Type, shape []int) bool {
		i := slices.Index(shape, 0)
		return i >= 0 && i+1 < len(shape)
	}}
}

// detailLoss is what no text has. The byte order and where the padding is show in the dtype, whose loss is said.
func detailLoss() Loss { return Loss{What: "Fortran order, titles, the payload of NaNs"} }
