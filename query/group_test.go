package query_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query"
)

// pairsOf returns records of a key and a value.
func pairsOf(t *testing.T, keys []int32, values []float64) *npy.Array {
	t.Helper()
	data := make([]byte, 0, 12*len(keys))
	for i := range keys {
		data = binary.BigEndian.AppendUint32(data, uint32(keys[i]))
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(values[i]))
	}
	return must(npy.FromBytes(must(dtype.Parse("[('k', '>i4'), ('v', '<f8')]")), data, len(keys)))
}

// The result has the same bits with any number of goroutines, from memory and by blocks.
func TestGroupIsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	keys, values := make([]int32, 200_000), make([]float64, 200_000)
	for i := range keys {
		keys[i], values[i] = int32(r.IntN(3000)-1500), r.NormFloat64()*math.Exp(40*r.Float64())
	}
	a := pairsOf(t, keys, values)
	g := query.Group{By: []query.Key{{Field: "k", Descending: true}}, Aggs: must(query.ParseAggs("sum:v,mean:v,std:v,var:v,count:v,median:v,q0.9:v,nunique:v,argmin:v"))}
	var want []byte
	for _, workers := range []int{1, 2, 5} {
		before := par.SetWorkers(workers)
		for _, src := range []npy.Source{a, fileInMemory(t, a)} {
			got := must(g.Of(t.Context(), src)).Bytes()
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%d workers: another result", workers)
			}
		}
		par.SetWorkers(before)
	}
}

// fileInMemory returns a source that can be read at any offset.
func fileInMemory(t *testing.T, a *npy.Array) *npy.File {
	t.Helper()
	data := fileBytes(t, a)
	return must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data))))
}

// fileBytes returns an array as an .npy file.
func fileBytes(t *testing.T, a *npy.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGroupNaN(t *testing.T) {
	nan := math.NaN()
	a := pairsOf(t, []int32{1, 1, 2, 1}, []float64{3, nan, nan, 5})
	for skip, want := range map[bool][]float64{
		false: {nan, nan, nan, nan, 2, nan, nan, nan, nan, 0},
		true:  {8, 4, 3, 5, 2, 0, nan, nan, nan, 0},
	} {
		g := query.Group{By: []query.Key{{Field: "k"}}, SkipNaN: skip, Aggs: must(query.ParseAggs("sum:v,mean:v,min:v,max:v,count:v"))}
		got := must(g.Of(t.Context(), a))
		var all []float64
		for i := range 2 {
			for _, name := range []string{"sum_v", "mean_v", "min_v", "max_v", "count_v"} {
				f := must(must(got.Field(name)).Slice(npy.Span(i, i+1)))
				if f.DType().Kind() == 'i' {
					all = append(all, float64(must(npy.As[int64](f)).At(0)))
				} else {
					all = append(all, must(npy.As[float64](f)).At(0))
				}
			}
		}
		for i := range want {
			if all[i] != want[i] && (all[i] == all[i] || want[i] == want[i]) {
				t.Errorf("skip %v: %v, want %v", skip, all, want)
				break
			}
		}
	}
}

// Integers are added exactly, and a sum that does not fit is an error.
func TestGroupSums(t *testing.T) {
	key := query.Group{By: []query.Key{{Field: "0"}}, Aggs: must(query.ParseAggs("sum:1,mean:1"))}
	a := must(npy.FromSlice([]int64{0, math.MaxInt64, 0, math.MaxInt64, 0, -math.MaxInt64}, 3, 2))
	got := must(key.Of(t.Context(), a))
	if sum := must(npy.As[int64](must(got.Field("sum_1")))).At(0); sum != math.MaxInt64 {
		t.Errorf("sum %d", sum)
	}
	if mean := must(npy.As[float64](must(got.Field("mean_1")))).At(0); mean != float64(math.MaxInt64/3) {
		t.Errorf("mean %v", mean)
	}
	first := must(a.Slice(npy.SpanTo(2)))
	if _, err := key.Of(t.Context(), first); err == nil || !strings.Contains(err.Error(), "18446744073709551614 does not fit in dtype <i8") && !strings.Contains(err.Error(), "18446744073709551614 does not fit in dtype >i8") {
		t.Errorf("error %v", err)
	}
}

func TestGroupErrors(t *testing.T) {
	a := pairsOf(t, []int32{1, 2, 3}, []float64{1, 2, 3})
	for _, test := range []struct {
		by, aggs, want string
	}{
		{"k", "mode:v", `no function "mode"`}, {"k", "q1.5:v", `no function "q1.5"`}, {"k", "qq:v", "no function"}, {"k", "q0.5", "q0.5 needs the name of a field"}, {"k", "mean:w", `no field "w"`}, {"w", "count", `no field "w"`},
		{"k", "mean", "mean needs the name of a field"}, {"k,k", "count", "query: "}, {"k", "count,count", "query: "},
	} {
		g := query.Group{By: must(query.ParseKeys(test.by)), Aggs: must(query.ParseAggs(test.aggs))}
		if _, err := g.Of(t.Context(), a); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("by %s, %s: error %v, want %q", test.by, test.aggs, err, test.want)
		}
	}
	for _, text := range []string{"", "mean:", ":v", "a,,b"} {
		if _, err := query.ParseAggs(text); err == nil {
			t.Errorf("ParseAggs(%q): no error", text)
		}
	}
}

// The rows without duplicates are the first of each key, in their order.
func TestUniqueFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	keys, floats := make([]int32, 150_000), make([]float64, 150_000)
	for i := range keys {
		keys[i], floats[i] = int32(r.IntN(40_000)), float64(r.IntN(3)-1)*math.Copysign(1, r.Float64()-0.5) // with 0 and -0
	}
	floats[70_000], floats[80_000], keys[70_000], keys[80_000] = math.NaN(), -math.NaN(), 5, 5
	a := pairsOf(t, keys, floats)
	for by, key := range map[string]func(i int) string{
		"k":                       func(i int) string { return fmt.Sprint(keys[i]) },
		"k,v":                     func(i int) string { return fmt.Sprint(keys[i], floats[i]+0) },
		"":                        func(i int) string { return fmt.Sprint(keys[i], floats[i]+0) },
		"k % 9":                   func(i int) string { return fmt.Sprint(keys[i] % 9) },
		"row // 5000,rank(v) < 0": func(i int) string { return fmt.Sprint(i / 5000) },
	} {
		u := query.Unique{}
		if by != "" {
			u.By = must(query.ParseKeys(by))
		}
		var want []int
		seen := map[string]bool{}
		for i := range keys {
			if !seen[key(i)] {
				seen[key(i)] = true
				want = append(want, i)
			}
		}
		rows := must(npy.Take(t.Context(), a, want))
		for kind, src := range sourcesOf(t, a) {
			got, err := u.Filter(t.Context(), src)
			if err != nil {
				t.Errorf("by %q of %s: %v", by, kind, err)
			} else if all := must(got.ReadAll(t.Context())); !bytes.Equal(all.Bytes(), rows.Bytes()) || !all.DType().Equal(a.DType()) {
				t.Errorf("by %q of %s: %d rows, want %d", by, kind, all.Len(), rows.Len())
			}
		}
	}
	table := must(npy.FromSlice([]int16{1, 2, 3, 4, 1, 2, 1, 4}, 4, 2))
	for by, want := range map[string]string{"": "[[1 2]\n [3 4]\n [1 4]]", "0": "[[1 2]\n [3 4]]", "x[:, 1] > 3": "[[1 2]\n [3 4]]"} {
		u := query.Unique{}
		if by != "" {
			u.By = must(query.ParseKeys(by))
		}
		if got := must(must(u.Filter(t.Context(), table)).ReadAll(t.Context())); fmt.Sprint(got) != want {
			t.Errorf("a table by %q: %v", by, got)
		}
	}
	none := must(must(query.Unique{}.Filter(t.Context(), must(npy.New(dtype.Int8, 0, 3)))).ReadAll(t.Context()))
	empty := must(must(query.Unique{}.Filter(t.Context(), must(npy.New(dtype.Int8, 5, 0)))).ReadAll(t.Context()))
	if fmt.Sprint(none.Shape(), empty.Shape()) != "[0 3] [1 0]" {
		t.Errorf("no rows %v, rows without elements %v", none.Shape(), empty.Shape())
	}
	var limit *npy.LimitError
	if _, err := (query.Unique{Max: 100}).Filter(t.Context(), a); !errors.As(err, &limit) || limit.Name != "Max" {
		t.Errorf("error %v", err)
	}
}

func TestUnique(t *testing.T) {
	raw := must(npy.FromBytes(dtype.Bool, []byte{2, 0, 1, 1}, 2, 2))
	if got := must(query.Unique{}.Of(t.Context(), raw)); got.Len() != 2 {
		t.Errorf("bools: %v", got)
	}
	many := make([]uint16, 60_000)
	for i := range many {
		many[i] = uint16(i / 2)
	}
	b := must(npy.FromSlice(many))
	var limit *npy.LimitError
	if _, err := (query.Unique{Max: 29_999}).Of(t.Context(), b); !errors.As(err, &limit) || limit.Name != "Max" {
		t.Errorf("error %v", err)
	}
	got := must(query.Unique{Max: 30_000, ByCount: true}.Of(t.Context(), b))
	if got.Len() != 30_000 || must(npy.As[uint16](must(got.Field("value")))).At(29_999) != 29_999 {
		t.Errorf("%d values", got.Len())
	}
	empty := must(query.Unique{}.Of(t.Context(), must(npy.New(must(dtype.Parse("S0")), 7, 3))))
	if n := must(npy.As[int64](must(empty.Field("count")))).At(0); empty.Len() != 1 || n != 21 {
		t.Errorf("items without bytes: %v", empty)
	}
	if got := must(query.Unique{}.Of(t.Context(), must(npy.New(dtype.Int8, 0)))); got.Len() != 0 {
		t.Errorf("no elements: %v", got)
	}
	records := pairsOf(t, []int32{2, 1, 2}, []float64{1, 1, 1})
	if got := must(query.Unique{}.Of(t.Context(), records)); got.Len() != 2 || got.DType().Field(2).Name != "count" {
		t.Errorf("records: %v", got)
	}
	if _, err := (query.Unique{}).Of(t.Context(), must(npy.FromObjects([]any{"a"}, 1))); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects: error %v", err)
	}
}
