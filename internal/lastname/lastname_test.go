package lastname

import (
	"fmt"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

func TestIndex(t *testing.T) {
	r := oracle.Rand(t)
	for _, n := range []int{0, 1, 2, 5, 6, 100, 5000} {
		for _, kinds := range []int{1, 3, max(n/2, 1), 100 * n} {
			texts, last := make([]string, n), map[string]int{}
			for i := range texts {
				texts[i] = fmt.Sprint("name", r.IntN(kinds+1))
				last[texts[i]] = i
			}
			x := Of(n, func(i int) string { return texts[i] })
			for _, s := range append(texts, "", "name", "name-1") {
				want, has := last[s]
				if i, ok := x.Find(s); ok != has || has && i != want {
					t.Fatalf("%d texts of %d kinds: %q is at %d, %t; want %d, %t", n, kinds, s, i, ok, want, has)
				}
			}
		}
	}
}
