package query_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

// A sample is a set of distinct rows in order, of the requested size.
func TestSampleRows(t *testing.T) {
	for _, n := range []int{0, 1, 2, 15, 100, 5000} {
		for _, k := range []int{0, 1, 2, 14, 99, 5000} {
			for seed := range uint64(20) {
				rows, err := query.Sample{N: k, Seed: seed}.Rows(n)
				if err != nil || len(rows) != min(n, k) {
					t.Fatalf("%d of %d: %v, error %v", k, n, rows, err)
				}
				for i, row := range rows {
					if row < 0 || row >= n || i > 0 && row <= rows[i-1] {
						t.Fatalf("%d of %d: %v", k, n, rows)
					}
				}
			}
		}
	}
	if rows := must(query.Sample{Fraction: 0.25}.Rows(1000)); len(rows) != 250 {
		t.Errorf("a quarter of 1000 is %d", len(rows))
	}
	for _, s := range []query.Sample{{N: -1}, {Fraction: 1.5}, {Fraction: math.NaN()}, {N: 1, Fraction: 0.5}, {Fraction: -0.1}} {
		if _, err := s.Rows(10); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}

// The rows of a seed never change: programs rely on them.
func TestSampleIsTheSame(t *testing.T) {
	for _, test := range []struct {
		s    query.Sample
		n    int
		want string
	}{
		{query.Sample{N: 4}, 10, "[0 2 5 9]"}, {query.Sample{N: 4, Seed: 1}, 10, "[1 3 7 8]"}, {query.Sample{N: 4, Seed: 1}, 1_000_000, "[23676 89111 598259 715355]"},
	} {
		if got := fmt.Sprint(must(test.s.Rows(test.n))); got != test.want {
			t.Errorf("%+v of %d: %s, want %s", test.s, test.n, got, test.want)
		}
	}
}

// Every row is as likely as every other, and so is every pair: chi-square tests with a fixed seed.
func TestSampleIsUniform(t *testing.T) {
	const n, rounds = 48, 40_000
	for _, k := range []int{2, 10} { // Floyd's algorithm, and one row after another
		single, pairs := make([]int, n), make([]int, n*n)
		for seed := range uint64(rounds) {
			rows := must(query.Sample{N: k, Seed: seed}.Rows(n))
			for i, a := range rows {
				single[a]++
				for _, b := range rows[:i] {
					pairs[a*n+b]++
				}
			}
		}
		pairs = slices.DeleteFunc(pairs, func(x int) bool { return x == 0 }) // the other half
		if len(pairs) != n*(n-1)/2 {
			t.Errorf("%d rows: %d of %d pairs occur", k, len(pairs), n*(n-1)/2)
		}
		for what, counts := range map[string][]int{"rows": single, "pairs": pairs} {
			total, chi := 0, 0.0
			for _, c := range counts {
				total += c
			}
			want := float64(total) / float64(len(counts))
			for _, c := range counts {
				chi += (float64(c) - want) * (float64(c) - want) / want
			}
			free := float64(len(counts) - 1)
			if limit := free + 5*math.Sqrt(2*free); chi > limit {
				t.Errorf("%d of %d: chi-square of %s is %.1f, want at most %.1f", k, n, what, chi, limit)
			}
		}
	}
}

// The rows are the same from memory, from a file and from a stream.
func TestSampleSources(t *testing.T) {
	x := make([]int32, 300_000)
	for i := range x {
		x[i] = int32(i)
	}
	a := must(npy.FromSlice(x, 100_000, 3))
	f := fileInMemory(t, a)
	for _, k := range []int{0, 5, 50_000} {
		s := query.Sample{N: k, Seed: 3}
		stream := must(npy.NewStream(f.Header(), bytes.NewReader(a.Bytes())))
		want := must(s.Of(t.Context(), a))
		for _, src := range []npy.Source{f, stream} {
			if got := must(s.Of(t.Context(), src)); got.Len() != k || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%d rows of %T differ", k, src)
			}
		}
	}
	if _, err := (query.Sample{N: 1}).Of(t.Context(), must(npy.FromSlice([]int32{1}, []int{}...))); err == nil {
		t.Error("no dimensions: no error")
	}
}
