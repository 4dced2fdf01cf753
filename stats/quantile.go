package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// Quantiles returns the quantiles of an array of real numbers or bools, each q between 0 and 1: what numpy.nanquantile
// returns for the array as float64. They are NaN if there is nothing but NaN. Between two numbers the result is
// interpolated, as by method='linear'. Records and dtypes that are no real numbers are refused with an error that wraps
// [errors.ErrUnsupported].
func Quantiles(a *npy.Array, qs ...float64) ([]float64, error) {
	t, each := passesOf(a)
	return quantilesOf(t, qs, each)
}

// QuantilesOfFile is [Quantiles] for a[index...] of a file of any size. It is exact as well, in 100 MB of memory or so: it
// reads the file twice, or up to four times if many numbers are nearly the same.
func QuantilesOfFile(f *npy.File, qs []float64, index ...npy.Index) ([]float64, error) {
	t, each, err := passesOfFile(f, index)
	if err != nil {
		return nil, err
	}
	return quantilesOf(t, qs, each)
}

// passes goes through all elements, a piece at a time, as often as it is called.
type passes func(add func(data []byte)) error

func passesOf(a *npy.Array) (dtype.Type, passes) {
	if a.IsFortran() {
		a = a.T()
	}
	data, _ := a.Contiguous().ViewBytes() // it is in C order
	return a.DType(), func(add func(data []byte)) error {
		add(data)
		return nil
	}
}

func passesOfFile(f *npy.File, index []npy.Index) (dtype.Type, passes, error) {
	part, err := npy.PartOf(f.Header(), index...)
	if err != nil {
		return dtype.Type{}, nil, err
	}
	h := format.Header{DType: part.DType(), Shape: part.Shape()}
	return h.DType, func(add func(data []byte)) error {
		if len(index) > 0 {
			return eachBlock(f, index, add)
		}
		size := int64(max(h.DType.ItemSize(), 1))
		return eachPiece(f.Data(), h.NBytes(), max(pieceBytes/size, 1)*size, add) // whole elements
	}, nil
}

// heldNumbers is how many numbers are held at most, rather than to read all once more.
const heldNumbers = 4 << 20

// quantilesOf goes through the elements with each, as often as it takes.
func quantilesOf(t dtype.Type, qs []float64, each passes) ([]float64, error) {
	for _, q := range qs {
		if !(q >= 0 && q <= 1) {
			return nil, fmt.Errorf("stats: quantile %v is not between 0 and 1", q)
		}
	}
	read, err := realsOf(t)
	if err != nil {
		return nil, fmt.Errorf("stats: dtype %s has no quantiles, which only real numbers and bools have: %w", t, errors.ErrUnsupported)
	}
	s := selection{size: t.ItemSize(), reals: read, each: each, most: heldNumbers}
	first, err := s.count([]group{{}}, 64, digitBits)
	if err != nil {
		return nil, err
	}
	n := int64(0)
	for _, k := range first[0] {
		n += k
	}
	out := make([]float64, len(qs))
	places, ranks := make([]float64, len(qs)), []int64{}
	for i, q := range qs {
		if out[i] = math.NaN(); n > 0 {
			places[i] = float64(n-1) * q
			low := int64(places[i])
			ranks = append(ranks, low, min(low+1, n-1))
		}
	}
	slices.Sort(ranks)
	values, err := s.find(first[0], slices.Compact(ranks))
	if err != nil || n == 0 {
		return out, err
	}
	for i, place := range places {
		low := int64(place)
		out[i] = between(values[low], values[min(low+1, n-1)], place-math.Floor(place))
	}
	return out, nil
}

// between is numpy's _lerp, exact at both ends.
func between(a, b, t float64) float64 {
	switch {
	case t == 0 || a == b:
		return a
	case t >= 0.5:
		return b - float64((b-a)*(1-t))
	}
	return a + float64((b-a)*t)
}
