package convert

import (
	"slices"

	"github.com/npygo/npy/dtype"
)

// doc/formats.md describes the losses of each format in the same words. A test compares the two.

const lostDType = "the dtype, unless it is given again when reading"

// dtypeLoss is the loss of formats that do not record the dtype. guessed reports whether reading infers a plain dtype.
func dtypeLoss(guessed func(dtype.Type) bool) Loss {
	return Loss{What: lostDType, When: func(t dtype.Type, _ []int) bool { return !keepsDType(t, guessed) }}
}

// keepsDType reports whether reading infers all plain dtypes in t, and builds t from them.
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

// cellDType reports whether cells of dtype t are inferred as t.
func cellDType(t dtype.Type) bool {
	return jsonDType(t) || t.Equal(dtype.Complex128) || t.Kind() == dtype.KindDatetime && t.IsNative()
}

// jsonDType reports whether JSON values of dtype t are inferred as t.
func jsonDType(t dtype.Type) bool {
	same := func(d dtype.Type) bool { return t.Equal(d) }
	return slices.ContainsFunc([]dtype.Type{dtype.Bool, dtype.Int64, dtype.Float64}, same) ||
		t.Kind() == dtype.KindStr && t.IsNative()
}

// tableShapeLoss is the loss of tables.
func tableShapeLoss() Loss {
	return Loss{"an axis of length 1 at the end, and that there is none", func(_ dtype.Type, shape []int) bool {
		return len(shape) == 0 || len(shape) == 2 && shape[1] == 1
	}}
}

// emptyShapeLoss is the loss of text without elements.
func emptyShapeLoss() Loss {
	return Loss{"the axes after an axis of length 0", func(_ dtype.Type, shape []int) bool {
		i := slices.Index(shape, 0)
		return i >= 0 && i+1 < len(shape)
	}}
}

// detailLoss is the loss of all text formats. Byte order and padding are part of the dtype, whose loss is listed.
func detailLoss() Loss { return Loss{What: "Fortran order, titles, the payload of NaNs"} }

// onlyWritten is the Loss of formats that cannot be read back.
func onlyWritten() []Loss {
	return []Loss{{"the array: the table is for people and cannot be read back", func(dtype.Type, []int) bool { return true }}}
}

const prettyKept = "the values as people read them, two dimensions, records of one with the names of their fields"
