package cast

import (
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
)

// structConversion converts structs field by field, by their position and not by their name. A struct of one field is
// converted to another dtype as that field is. An element of another dtype is converted to every field of a struct.
func structConversion(from, to dtype.Type) conversion {
	sources, targets, needs := from.Fields(), to.Fields(), Unsafe
	switch {
	case !to.IsStruct():
		targets = []dtype.Field{{DType: to}}
	case !from.IsStruct():
		sources = slices.Repeat([]dtype.Field{{DType: from}}, len(targets))
	default:
		needs = Safe
	}
	if len(sources) != len(targets) {
		return never
	}
	casts, inner := make([]fieldCast, len(targets)), make([]conversion, len(targets))
	for i, g := range targets {
		f := sources[i]
		inner[i] = conversionOf(f.DType, g.DType)
		needs = max(needs, inner[i].needs)
		casts[i] = fieldCast{from: f.Offset, to: g.Offset, sizeFrom: f.DType.ItemSize(), sizeTo: g.DType.ItemSize()}
	}
	if needs > Unsafe {
		return never
	}
	keepsPadding := from.WithByteOrder(dtype.NativeEndian).Equal(to.WithByteOrder(dtype.NativeEndian))
	return conversion{needs, func(check bool) Caster {
		casts := slices.Clone(casts)
		for i := range casts {
			casts[i].convert = inner[i].caster(check)
		}
		return structCaster(casts, keepsPadding)
	}}
}

// A fieldCast converts one field.
type fieldCast struct {
	from, to         int // offsets of the field
	sizeFrom, sizeTo int
	convert          Caster
}

// structCaster converts a block of structs at a time; the block stays in the cache for all fields. Padding becomes zeros,
// but is kept if only byte orders change.
func structCaster(casts []fieldCast, keepsPadding bool) Caster {
	const blockBytes = 64 << 10
	return func(dst, src []byte, n int) error {
		if n == 0 {
			return nil
		}
		to, from := len(dst)/n, len(src)/n
		block := max(blockBytes/max(to, from, 1), 1)
		if keepsPadding {
			copy(dst, src)
		} else {
			clear(dst)
		}
		for at := 0; at < n; at += block {
			end := min(at+block, n)
			for _, x := range casts {
				if err := x.run(dst[at*to:end*to], src[at*from:end*from], end-at); err != nil {
					return codec.Count(err, at)
				}
			}
		}
		return nil
	}
}

// run converts the field of n structs.
func (x fieldCast) run(dst, src []byte, n int) error {
	if x.sizeFrom == 0 && x.sizeTo == 0 {
		return nil
	}
	to, from := len(dst)/n, len(src)/n
	in, out := make([]byte, n*x.sizeFrom), make([]byte, n*x.sizeTo)
	copyStrided(in, 0, x.sizeFrom, src, x.from, from, n, x.sizeFrom)
	if err := x.convert(out, in, n); err != nil {
		return err
	}
	copyStrided(dst, x.to, to, out, 0, x.sizeTo, n, x.sizeTo)
	return nil
}

// copyStrided copies n pieces of size bytes.
func copyStrided(dst []byte, to, toStride int, src []byte, from, fromStride, n, size int) {
	if size > 0 {
		bulk.CopyBytes(dst, to, []int{toStride}, src, from, []int{fromStride}, []int{n}, size)
	}
}

// subarrayConversion converts subarrays item by item. A change of dimensions needs unsafe casting, except for a single item,
// which is repeated.
func subarrayConversion(from, to dtype.Type) conversion {
	itemFrom, dimsFrom := itemsOf(from)
	itemTo, dimsTo := itemsOf(to)
	if elem.IsText(itemTo) && itemTo.ItemSize() == 0 && itemFrom.ItemSize() > 0 {
		return never // NumPy has no such dtype
	}
	inner := conversionOf(itemFrom, itemTo)
	if len(dimsFrom) > 0 && !slices.Equal(dimsFrom, dimsTo) {
		inner.needs = max(inner.needs, Unsafe)
	}
	x := subarrayCast{dimsFrom, dimsTo, itemFrom.ItemSize(), itemTo.ItemSize(), nil}
	return conversion{inner.needs, func(check bool) Caster {
		x.convert = inner.caster(check)
		return x.run
	}}
}

// itemsOf returns the dtype of the items of a subarray, and its dimensions.
func itemsOf(t dtype.Type) (item dtype.Type, dims []int) {
	for t.IsSubarray() {
		dims = append(dims, t.SubShape()...)
		t = t.Elem()
	}
	return t, dims
}

// A subarrayCast converts the items of subarrays.
type subarrayCast struct {
	from, to         []int // dimensions
	sizeFrom, sizeTo int   // of an item
	convert          Caster
}

func (x subarrayCast) run(dst, src []byte, n int) error {
	if len(dst) == 0 {
		return nil
	}
	to, from := len(dst)/n, len(src)/n
	runs := x.runs(to / x.sizeTo)
	last := runs[len(runs)-1]
	items := last.at + last.count
	if slices.Equal(x.from, x.to) {
		return perItem(x.convert(dst, src, n*items), items)
	}
	in, out := make([]byte, n*items*x.sizeFrom), make([]byte, n*items*x.sizeTo)
	for _, r := range runs {
		copyStrided(in, r.at*x.sizeFrom, items*x.sizeFrom, src, r.source*x.sizeFrom, from, n, r.count*x.sizeFrom)
	}
	if items > 0 {
		if err := x.convert(out, in, n*items); err != nil {
			return perItem(err, items)
		}
	}
	clear(dst)
	for _, r := range runs {
		copyStrided(dst, r.target*x.sizeTo, to, out, r.at*x.sizeTo, items*x.sizeTo, n, r.count*x.sizeTo)
	}
	return nil
}

// An itemRun is items of a subarray that are contiguous in the source and in the target. at is the number of items in
// the runs before it.
type itemRun struct{ at, source, target, count int }

// runs returns the sources of the items of the target. Dimensions are matched from the last. A dimension of length 1
// is repeated, and so is a dimension that the source lacks. Source items outside of the target are left out, and
// items that the source lacks are zero, as in get_subarray_broadcast_transfer_function of NumPy.
func (x subarrayCast) runs(items int) []itemRun {
	if slices.Equal(x.from, x.to) {
		return []itemRun{{count: items}}
	}
	runs := []itemRun{{}}
	index := make([]int, len(x.to))
	for target := range items {
		if source, ok := x.source(index); ok {
			last := &runs[len(runs)-1]
			if last.source+last.count == source && last.target+last.count == target {
				last.count++
			} else {
				runs = append(runs, itemRun{last.at + last.count, source, target, 1})
			}
		}
		for axis := len(index) - 1; axis >= 0; axis-- {
			if index[axis]++; index[axis] < x.to[axis] {
				break
			}
			index[axis] = 0
		}
	}
	return runs
}

// source returns the item of the source for an index of the target, and false if the source has none.
func (x subarrayCast) source(index []int) (int, bool) {
	item, step := 0, 1
	skip := len(index) - len(x.from) // the axes that the source lacks; negative if it has more
	for axis := len(x.from) - 1; axis >= 0; axis-- {
		n, i := x.from[axis], 0
		if n != 1 && axis+skip >= 0 {
			i = index[axis+skip]
		}
		if i >= n {
			return 0, false
		}
		item += i * step
		step *= n
	}
	return item, true
}
