package stats_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/stats"
)

// remade returns an accumulator after a way through its bytes.
func remade(t *testing.T, acc *stats.QuantileAccumulator) *stats.QuantileAccumulator {
	t.Helper()
	state, err := acc.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var again stats.QuantileAccumulator
	if err := again.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	if twice, err := again.MarshalBinary(); err != nil || !bytes.Equal(twice, state) {
		t.Fatalf("a state of %d bytes becomes one of %d, %v", len(state), len(twice), err)
	}
	return &again
}

// Quantiles of pieces that many count, in any order, equal the whole array's.
func TestQuantilesOfPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	many := make([]float64, 40)
	for i := range many {
		many[i] = random.Float64()
	}
	for _, descr := range mergedTypes {
		dt, err := dtype.Parse(descr)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 2, 1000, 70_000} {
			qs := [][]float64{{0.5}, {0, 0.25, 1. / 3, 1}, many, nil}[random.IntN(4)]
			name := fmt.Sprintf("%d of %s, %d quantiles", n, descr, len(qs))
			data := mergedItems(random, dt, n)
			a, err := npy.FromBytes(dt, data, n)
			if err != nil {
				t.Fatal(err)
			}
			want, wantErr := stats.QuantilesOf(context.Background(), a, qs...)
			acc, err := stats.NewQuantiles(dt, qs...)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: error %v, QuantilesOf has %v", name, err, wantErr)
			}
			if err != nil {
				continue
			}
			for more := true; more; {
				left := acc.Passes()
				if _, err := acc.Result(); err == nil {
					t.Fatalf("%s: a result before the last pass", name)
				}
				between := remade(t, acc)
				workers := make([]*stats.QuantileAccumulator, 1+random.IntN(4))
				for i := range workers {
					workers[i] = remade(t, between)
				}
				for rest := data; len(rest) > 0; {
					k := 1 + random.IntN(len(rest)/dt.ItemSize())
					w := workers[random.IntN(len(workers))]
					w.Add(rest[:k*dt.ItemSize()])
					rest = rest[k*dt.ItemSize():]
				}
				for _, i := range random.Perm(len(workers)) {
					if err := acc.Merge(remade(t, workers[i])); err != nil {
						t.Fatal(err)
					}
				}
				if more, err = acc.Next(); err != nil {
					t.Fatal(err)
				}
				if acc.Passes() >= left || acc.Passes() == 0 == more {
					t.Fatalf("%s: after one of %d passes, %d are left", name, left, acc.Passes())
				}
			}
			got, err := remade(t, acc).Result()
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(fmt.Sprint(got), fmt.Sprint(want)) {
				t.Errorf("%s: %v, QuantilesOf has %v", name, got, want)
			}
		}
	}
}

// Data may be cut within elements.
func TestQuantilesCutElements(t *testing.T) {
	acc, err := stats.NewQuantiles(parse(t, "<i2"), 1)
	if err != nil {
		t.Fatal(err)
	}
	acc.Add([]byte{1, 0, 2})
	if _, err := acc.Next(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v for half an element", err)
	}
	acc.Add([]byte{3})
	acc.Add([]byte{7, 0, 9, 0})
	if more, err := acc.Next(); more || err != nil {
		t.Fatal(more, err)
	}
	if qs, err := acc.Result(); err != nil || qs[0].Values[0].String() != "770" {
		t.Errorf("the largest is %v, %v", qs, err)
	}
}

func TestQuantileMergeErrors(t *testing.T) {
	after := func(t dtype.Type, data []byte, qs ...float64) *stats.QuantileAccumulator {
		acc, err := stats.NewQuantiles(t, qs...)
		if err != nil {
			panic(err)
		}
		if acc.Add(data); data != nil {
			if _, err := acc.Next(); err != nil {
				panic(err)
			}
		}
		return acc
	}
	for name, pair := range map[string][2]*stats.QuantileAccumulator{
		"dtypes":    {after(dtype.Int32, nil, 0.5), after(dtype.Int64, nil, 0.5)},
		"quantiles": {after(dtype.Int32, nil, 0.5), after(dtype.Int32, nil, 0.5, 1)},
		"passes":    {after(dtype.Int32, nil, 0.5), after(dtype.Int32, make([]byte, 400), 0.5)},
		"zero":      {after(dtype.Int32, nil, 0.5), new(stats.QuantileAccumulator)},
	} {
		if err := pair[0].Merge(pair[1]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	other := after(dtype.Int32, make([]byte, 400), 0.5)
	other.Add(make([]byte, 396))
	if _, err := other.Next(); err == nil {
		t.Error("no error for a pass over fewer elements")
	}
	for _, q := range []float64{-0.1, 1.5} {
		if _, err := stats.NewQuantiles(dtype.Int32, q); err == nil {
			t.Errorf("no error for quantile %v", q)
		}
	}
}

// useQuantiles uses a state of any bytes, which must not panic.
func useQuantiles(t *testing.T, data []byte) {
	var acc stats.QuantileAccumulator
	if acc.UnmarshalBinary(data) != nil {
		return
	}
	again := remade(t, &acc)
	if err := acc.Merge(again); err != nil && !errors.Is(err, npy.ErrLimit) {
		t.Error(err)
	}
	again.Add(make([]byte, 100_000))
	for more := true; more; {
		var err error
		if more, err = again.Next(); err != nil {
			return
		}
	}
	if _, err := again.Result(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// quantileStates are states of all passes.
func quantileStates(t testing.TB) (states [][]byte) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, descr := range []string{"<f8", "|i1", "<M8[s]", "[('a', '<i4'), ('b', '<u8', (2,))]"} {
		dt, err := dtype.Parse(descr)
		if err != nil {
			t.Fatal(err)
		}
		acc, err := stats.NewQuantiles(dt, 0.1, 0.9)
		data := mergedItems(random, dt, 300)
		for more := true; more && err == nil; more, err = acc.Next() {
			acc.Add(data)
			state, err := acc.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			states = append(states, state)
		}
		state, err := acc.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, state)
	}
	return states
}

// Damaged states are errors or give wrong quantiles, and never a panic.
func TestDamagedQuantileStates(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	refused, cases := 0, oracle.Cases(t, 300)
	for _, state := range quantileStates(t) {
		for range cases {
			bad := bytes.Clone(state)
			bad[random.IntN(len(bad))] = byte(random.Uint32())
			useQuantiles(t, bad)
			cut := state[:random.IntN(len(state))]
			if new(stats.QuantileAccumulator).UnmarshalBinary(cut) != nil {
				refused++
			}
		}
	}
	if want := cases * len(quantileStates(t)); refused != want {
		t.Errorf("%d of %d states that are cut short are an error", refused, want)
	}
}

func FuzzUnmarshalQuantiles(f *testing.F) {
	for _, state := range quantileStates(f) {
		f.Add(state)
	}
	f.Fuzz(func(t *testing.T, data []byte) { useQuantiles(t, data) })
}
