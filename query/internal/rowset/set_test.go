package rowset

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// A Set has the rows of a list of bools, whatever the pieces in which they are appended, and copies them.
func TestRowSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := r.IntN(20_000)
		if r.IntN(2) == 0 {
			n = r.IntN(200)
		}
		density := []float64{0, 0.01, 0.5, 0.99, 1}[r.IntN(5)]
		mask := make([]uint8, n)
		for i := range mask {
			if r.Float64() < density {
				mask[i] = 1
			}
		}
		var want []int
		set := &Set{}
		for rest := mask; len(rest) > 0; {
			if equal := 1 + slices.IndexFunc(rest, func(b uint8) bool { return b != rest[0] }); r.IntN(3) == 0 && equal > 1 {
				k := 1 + r.IntN(equal-1)
				set.AppendEqual(k, rest[0] == 1)
				rest = rest[k:]
				continue
			}
			k := min(1+r.IntN(5000), len(rest))
			var rows Bits
			rows.Pack(rest[:k])
			set.Append(rows)
			rest = rest[k:]
		}
		set.Finish()
		for i, b := range mask {
			if b == 1 {
				want = append(want, i)
			}
		}
		if set.Total != len(want) || set.Rows != n {
			t.Fatalf("%d of %d rows, want %d of %d", set.Total, set.Rows, len(want), n)
		}
		if got := set.Positions(0, 1, set.Total); len(want) > 0 && !slices.Equal(got, want) {
			t.Fatalf("other rows: %v, want %v", got, want)
		}
		for range 20 {
			if len(want) > 0 {
				if rank := r.IntN(len(want)); set.At(rank) != want[rank] || set.Rank(want[rank]) != rank {
					t.Fatalf("row of rank %d: %d, want %d", rank, set.At(rank), want[rank])
				}
			}
		}
		testCopy(t, r, set, want)
	}
}

// testCopy copies a range of rows of every size that has a way of its own.
func testCopy(t *testing.T, r *rand.Rand, set *Set, want []int) {
	t.Helper()
	for _, size := range []int{1, 2, 3, 4, 7, 8, 9, 14, 16, 17, 24, 31, 32, 33, 40} {
		low := r.IntN(set.Rows + 1)
		high := low + r.IntN(set.Rows-low+1)
		data := make([]byte, (high-low)*size)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		var rows []byte
		for _, row := range want {
			if low <= row && row < high {
				rows = append(rows, data[(row-low)*size:(row-low+1)*size]...)
			}
		}
		dst := make([]byte, len(rows))
		if n := set.CopyRuns(dst, data, low, high, size); n != len(rows)/size || !bytes.Equal(dst, rows) {
			t.Fatalf("%d rows of %d bytes from %d to %d, want %d", n, size, low, high, len(rows)/size)
		}
	}
}
