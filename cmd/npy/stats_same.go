package main

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/results"
	"github.com/npygo/npy/format"
)

// sameArrays has the results of arrays that lie in a file in one piece. A file can have thousands of large arrays that are the same
// bytes: they are read once.
type sameArrays map[place]*results.Summary

// A place is the part of an array that is summarised: the file, the place of the array, and the meaning of its bytes.
type place struct {
	file                *input.Container
	at                  int64
	dtype, shape, index string
}

// minSame is the size in bytes from which results of arrays are kept.
const minSame = 16 << 10

// placeOf returns where the array of a target is, unless it is small or it lies in the file in another form.
func placeOf(o input.Opener, t input.Target) (place, bool) {
	if t.Container == nil || t.Container.NPZ() != nil || o.Scale { // which depends on attributes
		return place{}, false
	}
	src, err := t.Container.Source(t.Member)
	if err != nil {
		return place{}, false
	}
	h := npy.HeaderOf(src)
	if _, plain := npy.DataOf(src); !plain || h.NBytes() < minSame { // the entry of an array in chunks takes a walk through their index
		return place{}, false
	}
	e, err := t.Container.Entry(t.Member)
	if err != nil || e.Err != nil || e.At == 0 {
		return place{}, false
	}
	return place{t.Container, e.At, e.DType.String(), format.ShapeString(e.Shape), t.Sub}, true
}

// summarise is the method of app, which reads arrays of the same bytes once.
func (s sameArrays) summarise(a *app, o input.Opener, t input.Target, what statistics) (*results.Summary, error) {
	at, ok := placeOf(o, t)
	if first := s[at]; ok && first != nil {
		again := *first
		again.Target, again.SameAs = t, first.Target.Member
		return &again, nil
	}
	summary, err := a.summarise(o, t, what)
	if ok && err == nil {
		s[at] = summary
	}
	return summary, err
}
