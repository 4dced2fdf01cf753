package npy

import (
	"context"
	"fmt"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/par"
)

// A pick copies size bytes from offset from of an element to offset to of another element.
type pick struct{ from, to, size int }

// picksOf returns the picks for some fields of t, and the struct of these fields. A nil names means all fields. The
// fields of the struct are in the order of names, without padding between them, and some have new names.
func picksOf(t dtype.Type, names []string, rename map[string]string) ([]pick, dtype.Type, error) {
	if names == nil {
		for _, f := range t.Fields() {
			names = append(names, f.Name)
		}
	}
	var picks []pick
	fields, end := make([]dtype.Field, len(names)), 0
	for i, name := range names {
		f, ok := t.FieldByName(name)
		if !ok {
			return nil, t, &FieldError{DType: t, Path: name}
		}
		p := pick{f.Offset, end, f.DType.ItemSize()}
		if last := len(picks) - 1; last >= 0 && picks[last].from+picks[last].size == p.from {
			picks[last].size += p.size
		} else {
			picks = append(picks, p)
		}
		if other, ok := rename[f.Name]; ok {
			f.Name = other
		}
		f.Offset = end
		fields[i], end = f, end+p.size
	}
	for name := range rename {
		if !slices.Contains(names, name) {
			return nil, t, fmt.Errorf("npy: no field %q to rename among %q", name, names)
		}
	}
	to, err := dtype.Struct(-1, fields...)
	return picks, to, err
}

// pickInto returns the contiguous array a with only the picked fields, and its elements in buf.
func pickInto(buf []byte, a *Array, t dtype.Type, picks []pick) (*Array, error) {
	n, from, to := a.Size(), a.nd.DType.ItemSize(), t.ItemSize()
	buf = buf[:n*to]
	return Part{array: a}.compact(t, buf), par.Split(context.Background(), n, cast.Block, len(buf), func(low, high int) error {
		for ; low < high; low += cast.Block {
			end := min(low+cast.Block, high)
			for _, p := range picks {
				bulk.CopyBytes(buf, low*to+p.to, []int{to}, a.nd.Data, low*from+p.from, []int{from}, []int{end - low}, p.size)
			}
		}
		return nil
	})
}
