package answer

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
)

// A gated source stops in the middle of each pass until the test lets it go on.
type gated struct {
	npy.Source
	middle, on chan struct{}
}

func (g *gated) Select(index ...npy.Index) (npy.Source, error) {
	part, err := g.Source.Select(index...)
	return &gated{part, g.middle, g.on}, err
}

func (g *gated) Blocks(ctx context.Context, _ int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		n := g.Shape()[0]
		for _, span := range [][2]int{{0, n / 2}, {n / 2, n}} {
			part, err := g.Source.Select(npy.Span(span[0], span[1]))
			if err != nil {
				yield(nil, err)
				return
			}
			a, err := part.ReadAll(ctx)
			if !yield(a, err) {
				return
			}
			select {
			case g.middle <- struct{}{}:
				<-g.on
			case <-ctx.Done():
				yield(nil, context.Cause(ctx))
				return
			}
		}
	}
}

// A page hears how much of what it waits for is done, and nothing of what nobody waits for.
func TestWork(t *testing.T) {
	const n = 1 << 16
	a, err := npy.FromSlice(make([]float64, n), n)
	if err != nil {
		t.Fatal(err)
	}
	g := &gated{a, make(chan struct{}), make(chan struct{})}
	answers := New([]Input{{Name: "slow", Open: func(context.Context) (*File, error) {
		return &File{Kind: "npy", Entries: []container.Entry{{DType: a.DType(), Shape: a.Shape()}}, Source: func(int) (npy.Source, error) { return g, nil }, Close: func() {}}, nil
	}}})
	defer answers.Close()
	defer close(g.on)
	work := func(query string) (done []float64) {
		t.Helper()
		q, _ := url.ParseQuery(query)
		w := &framed{}
		if err := answers.Answer(t.Context(), "work", q, w); err != nil {
			t.Fatal(err)
		}
		var out struct{ Done []float64 }
		if err := json.Unmarshal(w.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		return out.Done
	}
	if got := work("f=0&e=0"); len(got) != 0 {
		t.Errorf("before a question: %v", got)
	}
	q, _ := url.ParseQuery("f=0&e=0&at=y&where=x+%3E+1")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- answers.Answer(ctx, "cells", q, &framed{}) }()
	<-g.middle
	if got := work("f=0&e=0"); len(got) != 1 || got[0] != 0.5 {
		t.Errorf("in the middle: %v, want 0.5", got)
	}
	for _, other := range []string{"f=0&e=1", "f=0", "f=0&e=x", "f=0&e=0+0"} {
		if got := work(other); len(got) != 0 {
			t.Errorf("%s: %v", other, got)
		}
	}
	stop()
	if err := <-ended; err == nil {
		t.Error("a question that was dropped has an answer")
	}
	if got := work("f=0&e=0"); len(got) != 0 {
		t.Errorf("after the question: %v", got)
	}
}

// A reading tells what part of all passes is done, whatever the parts are read by.
func TestTracked(t *testing.T) {
	a, err := npy.FromSlice(make([]int16, 1000), 10, 100)
	if err != nil {
		t.Fatal(err)
	}
	p := tracked(a, 2, func(float64) {})
	for range p.Blocks(t.Context(), 400) {
	}
	half, err := p.Select(npy.Span(0, 5))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := half.ReadAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := p.reading; r.done != 1500 || r.total != 2000 {
		t.Errorf("%v of %v elements", r.done, r.total)
	}
}
