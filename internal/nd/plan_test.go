package nd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npygo/npy/dtype"
)

// The reads of a plan have all bytes of a view and no more gaps than allowed, and put each element to its place.
func TestPlanReadsViews(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		a := randomView(t, r)
		gap := []int64{0, 1, 2, 7, 100}[r.IntN(5)]
		p := a.Plan(gap)
		wanted, place := int64(0), int64(0)
		for i := range p.Count {
			x := p.Run(i)
			if x.Place != place || x.Bytes > x.Extent {
				t.Fatalf("shape %v strides %v gap %d: read %d is %+v, want place %d", a.Shape, a.Strides, gap, i, x, place)
			}
			if gap == 0 && x.Bytes != x.Extent {
				t.Fatalf("shape %v strides %v: read %d is %+v, which has a gap", a.Shape, a.Strides, i, x)
			}
			place += x.Bytes
			wanted += x.Bytes
		}
		if wanted != int64(a.NBytes()) {
			t.Fatalf("shape %v strides %v gap %d: %d bytes in %d reads, want %d", a.Shape, a.Strides, gap, wanted, p.Count, a.NBytes())
		}
		file := append(bytes.Repeat([]byte{0xff}, 5), a.Data...)
		data := make([]byte, a.NBytes())
		if err := p.Read(context.Background(), data, bytes.NewReader(file), 5, 1+r.IntN(3)); err != nil {
			t.Fatal(err)
		}
		if b := a.Compact(a.DType, data); !slices.Equal(numbers(b), numbers(a)) {
			t.Fatalf("shape %v strides %v gap %d: read %v, want %v", a.Shape, a.Strides, gap, numbers(b), numbers(a))
		}
	}
}

// Data that ends early is io.ErrUnexpectedEOF, an array without bytes takes no read.
func TestPlanEnds(t *testing.T) {
	a := numbered(4, 4)
	p := a.Plan(0)
	err := p.Read(context.Background(), make([]byte, a.NBytes()), bytes.NewReader(a.Data[:31]), 0, 1)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("31 of 32 bytes: %v, want io.ErrUnexpectedEOF", err)
	}
	empty := New(dtype.Uint16, []int{3, 0}, false, nil)
	if p := empty.Plan(0); p.Count != 0 {
		t.Errorf("an empty array has %d reads", p.Count)
	}
}
