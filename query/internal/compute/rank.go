package compute

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/query/internal/order"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/source"
)

// A ranking has the ranks of the values of an array of one dimension. It is computed when it is first read, and kept.
type ranking struct {
	from npy.Source
	mu   sync.Mutex
	data []byte // float64s, once they are computed
}

// ranks returns the ranks from 1 on. Equal values share the mean of their ranks, as in scipy.stats.rankdata, and NaN and NaT have the
// rank NaN. The values are sorted in memory.
func ranks(from npy.Source) (npy.Source, error) {
	r := &ranking{from: from}
	return source.FromParts(header(dtype.Float64, from.Shape()[0]), func(ctx context.Context, p npy.Selection) (*npy.Array, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.data == nil {
			if err := r.compute(ctx); err != nil {
				return nil, err
			}
		}
		return p.Read(ctx, bytes.NewReader(r.data), 0, npy.ReadOptions{})
	})
}

// compute sorts the values.
func (r *ranking) compute(ctx context.Context) error {
	a, err := r.from.ReadAll(ctx)
	if err != nil {
		return err
	}
	sorted, err := order.Sort{}.Argsort(ctx, a)
	if err != nil {
		return err
	}
	same, missing := comparing(a)
	data := bulk.MakeFill[byte](8 * len(sorted))
	for low := 0; low < len(sorted); {
		high := low + 1
		for high < len(sorted) && same(sorted[low], sorted[high]) {
			high++
		}
		rank := float64(low+1+high) / 2
		if missing(sorted[low]) {
			rank = math.NaN()
		}
		for _, at := range sorted[low:high] {
			binary.NativeEndian.PutUint64(data[8*at:], math.Float64bits(rank))
		}
		low = high
	}
	r.data = data
	return nil
}

// comparing returns whether two elements of an array are equal, and whether one is NaN or NaT.
func comparing(a *npy.Array) (same func(i, j int) bool, missing func(i int) bool) {
	data, t := a.Bytes(), a.DType()
	size := t.ItemSize()
	missing = func(int) bool { return false }
	switch t.Kind() {
	case dtype.KindFloat:
		reals := codec.RealsOf(t)(new(codec.Buffer), data)
		return func(i, j int) bool { return reals[i] == reals[j] }, func(i int) bool { return reals[i] != reals[i] }
	case dtype.KindDatetime, dtype.KindTimedelta:
		missing = func(i int) bool { return int64(bulk.Uint(data[8*i:8*i+8], bigEndian)) == scalar.NaT }
	}
	return func(i, j int) bool { return bytes.Equal(data[i*size:(i+1)*size], data[j*size:(j+1)*size]) }, missing
}
