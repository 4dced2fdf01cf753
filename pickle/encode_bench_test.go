package pickle

import (
	"io"
	"strconv"
	"testing"
)

// BenchmarkEncode writes a million values. Compare it with pickle.dumps(list(range(1_000_000)), 4).
func BenchmarkEncode(b *testing.B) {
	const n = 1_000_000
	ints, strs, pairs := make([]any, n), make([]any, n), make([]any, n)
	for i := range n {
		ints[i] = int64(i)
		strs[i] = "string " + strconv.Itoa(i)
		pairs[i] = &Tuple{Items: []any{int64(i), 0.5}}
	}
	for _, bench := range []struct {
		name  string
		items []any
	}{{"ints", ints}, {"strings", strs}, {"tuples", pairs}} {
		b.Run(bench.name, func(b *testing.B) {
			list := &List{Items: bench.items}
			for b.Loop() {
				if err := (&Encoder{}).Encode(io.Discard, list); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
