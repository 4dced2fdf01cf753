package stats_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats"
)

// Histograms of pieces, of any lengths and in any order, add up to the histogram of the whole array.
func TestHistogramOfPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	supported := 0
	for _, descr := range mergedTypes {
		dt := parse(t, descr)
		for _, n := range []int{0, 1, 5, 3000} {
			data := mergedItems(random, dt, n)
			bins := 1 + random.IntN(20)
			want, wantErr := stats.HistogramOf(t.Context(), mustBytes(t, dt, data), bins)
			var pieces []*npy.Array
			for rest := data; ; {
				k := random.IntN(len(rest)/dt.ItemSize() + 1)
				if len(pieces) == 5 {
					k = len(rest) / dt.ItemSize()
				}
				pieces = append(pieces, mustBytes(t, dt, rest[:k*dt.ItemSize()]))
				if rest = rest[k*dt.ItemSize():]; len(pieces) > 5 {
					break
				}
			}
			var e stats.Extent
			for _, i := range random.Perm(len(pieces)) {
				one, err := stats.ExtentOf(t.Context(), pieces[i])
				if err == nil {
					err = e.Merge(resent(t, one))
				}
				if (err == nil) != (wantErr == nil) || err != nil && !errors.Is(err, errors.ErrUnsupported) {
					t.Fatalf("%s: error %v, HistogramOf has %v", descr, err, wantErr)
				}
			}
			if wantErr != nil {
				continue
			}
			supported++
			var got stats.Histogram
			for k, i := range random.Perm(len(pieces)) {
				h, err := resent(t, e).Histogram(t.Context(), pieces[i], bins)
				if k == 0 {
					got = h
				} else if err == nil {
					err = got.Merge(h)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%d of %s: %v, HistogramOf has %v", n, descr, got, want)
			}
		}
	}
	if supported < 40 {
		t.Errorf("only %d arrays have histograms", supported)
	}
}

// resent returns an Extent after a way through its bytes.
func resent(t *testing.T, e stats.Extent) (again stats.Extent) {
	t.Helper()
	state, err := e.MarshalBinary()
	if err == nil {
		err = again.UnmarshalBinary(state)
	}
	if err != nil || !reflect.DeepEqual(again, e) {
		t.Fatalf("%v becomes %v, %v", e, again, err)
	}
	return again
}

func TestExtent(t *testing.T) {
	e, err := stats.ExtentOf(t.Context(), mustBytes(t, parse(t, "<M8[D]"), []byte{3: 0, 7: 0x80, 8: 2, 16: 1, 23: 0}))
	if err != nil || e.Low().String() != "1970-01-02" || e.High().String() != "1970-01-03" {
		t.Errorf("extent from %v to %v, %v", e.Low(), e.High(), err)
	}
	outside, err := e.Histogram(t.Context(), mustBytes(t, parse(t, "<M8[D]"), []byte{15: 0, 16: 9, 23: 0}), 5)
	if err != nil || !reflect.DeepEqual(outside.Counts, []int64{0}) {
		t.Errorf("elements outside are %v, %v", outside, err)
	}
	if err := e.Merge(stats.Extent{}); err == nil {
		t.Error("no error for another dtype")
	}
	if _, err := e.Histogram(t.Context(), mustBytes(t, dtype.Int8, []byte{1}), 5); err == nil {
		t.Error("no error for elements of another dtype")
	}
	if _, err := new(stats.Extent).MarshalBinary(); err == nil {
		t.Error("the zero Extent has bytes")
	}
}

// Damaged bytes are an error, or another Extent.
func FuzzUnmarshalExtent(f *testing.F) {
	for _, descr := range []string{"<f8", "<M8[s]", "|i1"} {
		e, err := stats.ExtentOf(context.Background(), mustBytes(f, parse(f, descr), make([]byte, 40)))
		if err != nil {
			f.Fatal(err)
		}
		state, err := e.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(state)
		f.Add(append(bytes.Clone(state), 0))
		f.Add(bytes.Replace(state, []byte("<"), []byte(">"), 1))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var e stats.Extent
		if e.UnmarshalBinary(data) != nil {
			return
		}
		again, err := e.MarshalBinary()
		var twice stats.Extent
		if err != nil || twice.UnmarshalBinary(again) != nil {
			t.Fatalf("%q is read, and not what it becomes, %q, %v", data, again, err)
		}
		if (e.Low().IsValid()) != e.High().IsValid() {
			t.Error("one end is valid")
		}
	})
}
