package parts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/npygo/npy/internal/jsontext"
)

// Sort sorts paths by name, and by value where names differ in a number: part-2 before part-10.
func Sort(paths []string) { slices.SortFunc(paths, Compare) }

// Compare compares two paths in the order of [Sort].
func Compare(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		n, k := jsontext.Digits(x), jsontext.Digits(y)
		if n == 0 || k == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		p, q := strings.TrimLeft(x[:n], "0"), strings.TrimLeft(y[:k], "0")
		if c := cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(p, q)); c != 0 {
			return c
		}
		x, y = x[n:], y[k:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b)) // part-1 and part-01
}
