package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// A boxed is an array with regions.
type boxed struct {
	*npy.Array
	regions []npy.Region
}

func (b boxed) Regions(context.Context) (*npy.Regions, error) {
	r := &npy.Regions{All: slices.Values(b.regions)}
	for _, x := range b.regions {
		if x.Value != nil {
			r.Constant += x.Size()
		}
	}
	return r, nil
}

// randomRegions returns an array of random dtype, shape and elements, divided at random into regions, some of one value.
func randomRegions(t *testing.T, rng *rand.Rand, ndim int) boxed {
	types := []dtype.Type{dtype.Uint8, dtype.Int32, dtype.Float64, dtype.Bytes(3)}
	shape := make([]int, ndim)
	for i := range shape {
		shape[i] = 1 + rng.IntN(9)
	}
	a, err := npy.New(types[rng.IntN(len(types))], shape...)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := a.ViewBytes()
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	b := boxed{a, nil}
	b.divide(t, rng, make([]int, ndim), shape)
	slices.SortFunc(b.regions, func(x, y npy.Region) int { return slices.Compare(x.Origin, y.Origin) })
	return b
}

// divide cuts a box along a random axis, or makes it a region.
func (b *boxed) divide(t *testing.T, rng *rand.Rand, origin, shape []int) {
	if axis := rng.IntN(len(shape)); shape[axis] > 1 && rng.IntN(4) > 0 {
		cut := 1 + rng.IntN(shape[axis]-1)
		low, high, from := slices.Clone(shape), slices.Clone(shape), slices.Clone(origin)
		low[axis], high[axis] = cut, shape[axis]-cut
		from[axis] += cut
		b.divide(t, rng, origin, low)
		b.divide(t, rng, from, high)
		return
	}
	r := npy.Region{Origin: origin, Shape: shape}
	if rng.IntN(3) > 0 {
		value, err := npy.New(b.DType())
		if err != nil {
			t.Fatal(err)
		}
		value.Item()[0] = byte(rng.IntN(2)) // neighbours are often equal
		part, err := b.Slice(r.Index()...)
		if err != nil {
			t.Fatal(err)
		}
		for index := range positions(shape) {
			copy(part.Item(index...), value.Item())
		}
		r.Value = value
	}
	b.regions = append(b.regions, r)
}

// positions yields all indices of a shape.
func positions(shape []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		n := 1
		for _, k := range shape {
			n *= k
		}
		for i := range n {
			index := make([]int, len(shape))
			for axis := len(shape) - 1; axis >= 0; axis-- {
				index[axis], i = i%shape[axis], i/shape[axis]
			}
			if !yield(index) {
				return
			}
		}
	}
}

// Runs of random regions are the array, in C order, and runs of one value begin and end where they should.
func TestRuns(t *testing.T) {
	rng := oracle.Rand(t)
	constant := 0
	for range oracle.Cases(t, 3000) {
		b := randomRegions(t, rng, 1+rng.IntN(4))
		src := npy.Source(b)
		switch rng.IntN(4) {
		case 0:
			src = npy.Transposed(b)
		case 1:
			var err error
			if src, err = npy.Concat(rng.IntN(b.NDim()), b, b.Array, b); err != nil {
				t.Fatal(err)
			}
		}
		o := RunOptions{Unit: rng.IntN(12), Memory: int64(rng.IntN(200))}
		least := rng.IntN(60)
		n, err := checkRuns(src, o, least)
		if err != nil {
			t.Fatalf("%T of shape %v with %+v and runs of %d bytes: %v", src, src.Shape(), o, least, err)
		}
		constant += n
	}
	if constant == 0 {
		t.Error("no run of one value")
	}
}

// checkRuns compares the runs of src with its elements, and returns the number of runs of one value.
func checkRuns(src npy.Source, o RunOptions, least int) (constant int, err error) {
	ctx := context.Background()
	want, err := src.ReadAll(ctx)
	if err != nil {
		return 0, err
	}
	r, err := npy.RegionsOf(ctx, src)
	if r == nil {
		return 0, err
	}
	if again, err := npy.RegionsOf(ctx, src); err != nil || again.Constant != r.Constant {
		return 0, fmt.Errorf("%d elements of one value, then %v, %v", r.Constant, again, err)
	}
	size, unit := want.DType().ItemSize(), max(o.Unit, 1)
	var got []byte
	for run, err := range runsOf(ctx, src, r, o, least) {
		at := len(got) / size
		switch {
		case err != nil:
			return 0, err
		case at%unit != 0:
			return 0, fmt.Errorf("a run begins at %d", at)
		case run.Count == 0, run.Data != nil && len(run.Data) != run.Count*size:
			return 0, fmt.Errorf("a run of %d elements has %d bytes", run.Count, len(run.Data))
		case run.Data == nil && run.Count < least/size:
			return 0, fmt.Errorf("a run of %d elements of one value is too short", run.Count)
		}
		if run.Data == nil {
			constant++
			got = append(got, bytes.Repeat(run.Value, run.Count)...)
		} else {
			got = append(got, run.Data...)
		}
	}
	if !bytes.Equal(got, want.Bytes()) {
		return 0, errors.New("the elements differ")
	}
	return constant, nil
}

// Regions that overlap, leave something out or are not in order are an error, and no other elements.
func TestRunsBadRegions(t *testing.T) {
	rng := oracle.Rand(t)
	for range oracle.Cases(t, 1000) {
		b := randomRegions(t, rng, 1+rng.IntN(3))
		if len(b.regions) < 2 {
			continue
		}
		i := rng.IntN(len(b.regions))
		x := &b.regions[i]
		axis := rng.IntN(len(x.Shape))
		x.Origin, x.Shape = slices.Clone(x.Origin), slices.Clone(x.Shape)
		switch rng.IntN(4) {
		case 0:
			x.Shape[axis]++
		case 1:
			x.Origin[axis]--
		case 2:
			x.Shape[axis]--
		case 3:
			b.regions = slices.Delete(b.regions, i, i+1)
		}
		r, _ := b.Regions(context.Background())
		var err error
		for _, err = range runsOf(context.Background(), b, r, RunOptions{}, 0) {
		}
		if err == nil {
			t.Fatalf("no error for regions %v of shape %v", b.regions, b.Shape())
		}
	}
}

// A loop over runs can be left, and ends with its context.
func TestRunsLeft(t *testing.T) {
	rng := oracle.Rand(t)
	for range 100 {
		b := randomRegions(t, rng, 1+rng.IntN(3))
		r, _ := b.Regions(context.Background())
		for range runsOf(context.Background(), b, r, RunOptions{}, 0) {
			break
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var err error
		for _, err = range runsOf(ctx, b, r, RunOptions{}, 0) {
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal("error", err)
		}
	}
}

// A value that is computed holds for all regions with the value.
func TestRegionsMap(t *testing.T) {
	b := randomRegions(t, rand.New(rand.NewPCG(1, 2)), 3)
	r, _ := b.Regions(context.Background())
	_, err := r.Map(func(v *npy.Array) (*npy.Array, error) { return v.AsType(dtype.Object) })
	if err == nil {
		t.Fatal("no error of the function")
	}
	mapped, err := r.Map(func(v *npy.Array) (*npy.Array, error) {
		return npy.FromBytes(dtype.Void(b.DType().ItemSize()), v.Bytes())
	})
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for x := range mapped.All {
		old := b.regions[i].Value
		if (x.Value == nil) != (old == nil) || old != nil && (!bytes.Equal(x.Value.Bytes(), old.Bytes()) || x.Value.DType().Kind() != dtype.KindVoid) {
			t.Errorf("region %d is %v, want %v", i, x.Value, old)
		}
		i++
	}
	if i != len(b.regions) || mapped.Constant != r.Constant {
		t.Errorf("%d regions, want %d", i, len(b.regions))
	}
}
