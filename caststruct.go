package npy

import (
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
)

// structConversion converts records field by field, by their place. A record of one field becomes anything else as that
// field does, and anything else becomes each field, subarrays as a whole.
func structConversion(from, to dtype.Type) conversion {
	sources, targets, needs := from.Fields(), to.Fields(), UnsafeCasting
	switch {
	case !to.IsStruct():
		targets = []dtype.Field{{DType: to}}
	case !from.IsStruct():
		sources = slices.Repeat([]dtype.Field{{DType: from}}, len(targets))
	default:
		needs = SafeCasting
	}
	if len(sources) != len(targets) {
		return never
	}
	casts, inner := make([]fieldCast, len(targets)), make([]conversion, len(targets))
	for i, g := range targets {
		f := sources[i]
		if f.Name != g.Name {
			needs = max(needs, SameKindCasting)
		}
		inner[i] = conversionOf(f.DType, g.DType)
		needs = max(needs, inner[i].needs)
		casts[i] = fieldCast{from: f.Offset, to: g.Offset, sizeFrom: f.DType.ItemSize(), sizeTo: g.DType.ItemSize()}
	}
	if needs > UnsafeCasting {
		return never
	}
	keepsGaps := from.WithByteOrder(dtype.NativeEndian).Equal(to.WithByteOrder(dtype.NativeEndian))
	return conversion{needs, func(check bool) caster {
		casts := slices.Clone(casts)
		for i := range casts {
			casts[i].convert = inner[i].caster(check)
		}
		return structCaster(casts, keepsGaps)
	}}
}

// A fieldCast converts one field of records.
type fieldCast struct {
	from, to         int // bytes from the start of the record
	sizeFrom, sizeTo int
	convert          caster
}

// structCaster converts a block of records at a time, so that it stays in the cache for all fields. Padding becomes zeros,
// but stays as it is where nothing changes but byte orders.
func structCaster(casts []fieldCast, keepsGaps bool) caster {
	const blockBytes = 64 << 10
	return func(dst, src []byte, n int) error {
		if n == 0 {
			return nil
		}
		to, from := len(dst)/n, len(src)/n
		block := max(blockBytes/max(to, from, 1), 1)
		if keepsGaps {
			copy(dst, src)
		} else {
			clear(dst)
		}
		for at := 0; at < n; at += block {
			end := min(at+block, n)
			for _, x := range casts {
				if err := x.run(dst[at*to:end*to], src[at*from:end*from], end-at); err != nil {
					return countedFrom(err, at)
				}
			}
		}
		return nil
	}
}

// run converts the field of n records.
func (x fieldCast) run(dst, src []byte, n int) error {
	if x.sizeTo == 0 {
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

// subarrayConversion converts subarrays item by item. Other dimensions take unsafe casting, but for a single item that is
// repeated.
func subarrayConversion(from, to dtype.Type) conversion {
	itemFrom, dimsFrom := itemsOf(from)
	itemTo, dimsTo := itemsOf(to)
	inner := conversionOf(itemFrom, itemTo)
	if len(dimsFrom) > 0 && !slices.Equal(dimsFrom, dimsTo) {
		inner.needs = max(inner.needs, UnsafeCasting)
	}
	x := subarrayCast{dimsFrom, dimsTo, itemFrom.ItemSize(), itemTo.ItemSize(), nil}
	return conversion{inner.needs, func(check bool) caster {
		x.convert = inner.caster(check)
		return x.run
	}}
}

// itemsOf returns what a subarray is made of, and its dimensions.
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
	convert          caster
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

// An itemRun is items of a subarray that follow each other on both sides; at counts the items before it.
type itemRun struct{ at, source, target, count int }

// runs returns where the items of the target come from. Dimensions are matched from the last one; one of length 1 is
// repeated, as are those that the source lacks. Of what the source has too much nothing is taken, and what it has too little
// of stays zero, as in NumPy (get_subarray_broadcast_transfer_function).
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

// source returns the item of the source for an index of the target.
func (x subarrayCast) source(index []int) (int, bool) {
	item, step := 0, 1
	skip := len(index) - len(x.from) // axes that the source lacks; negative for those it has too many of
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
