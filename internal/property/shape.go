package property

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/npygo/npy/dtype"
)

// Shape returns a shape of up to most elements: mostly a few small axes, sometimes none, empty ones, many, or one long.
func (g *G) Shape(most int) []int {
	shape := make([]int, g.Int(4))
	switch g.Int(12) {
	case 10:
		return []int{g.Int(most + 1)}
	case 11:
		shape = make([]int, g.Between(4, 9))
	case 9:
		shape = make([]int, g.Between(1, 3))
		for i := range shape {
			shape[i] = g.Int(13)
		}
		return fit(shape, most)
	}
	for i := range shape {
		shape[i] = g.Between(1, 5)
		if g.Chance(3) {
			shape[i] = 0
		}
	}
	if g.Chance(1) {
		for len(shape) < 30 {
			shape = append(shape, 1)
		}
	}
	return fit(shape, most)
}

// fit shortens axes until there are at most most elements.
func fit(shape []int, most int) []int {
	n := 1
	for i, d := range shape {
		if d > 0 && n > most/d {
			shape[i] = max(most/n, 1)
		}
		n *= max(shape[i], 1)
	}
	return shape
}

// Size returns the number of elements.
func Size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// Index returns an index of Python, without the brackets, for an array of some shape and dtype: integers, slices with
// steps, an ellipsis. A few are out of bounds or too many.
func (g *G) Index(shape []int) string {
	n := g.Between(0, len(shape))
	if n > 5 {
		n = 5
	}
	if g.Chance(2) {
		n = len(shape) + 1
	}
	entries := make([]string, 0, n+1)
	ellipsis := -1
	if g.Chance(25) {
		ellipsis = g.Int(n + 1)
	}
	for i := range n {
		axis := i
		if ellipsis >= 0 && i >= ellipsis {
			axis = len(shape) - (n - i)
		}
		length := 1
		if axis >= 0 && axis < len(shape) {
			length = shape[axis]
		}
		if i == ellipsis {
			entries = append(entries, "...")
		}
		entries = append(entries, g.entry(length))
	}
	if ellipsis >= n || n == 0 {
		entries = append(entries, "...")
	}
	return strings.Join(entries, ", ")
}

// entry returns an integer or a slice for an axis.
func (g *G) entry(length int) string {
	place := func() string {
		switch g.Int(8) {
		case 0:
			return ""
		case 1:
			return strconv.Itoa(g.Between(-2*length-3, 2*length+3))
		case 2:
			return Pick(g, "-1", "1", strconv.Itoa(length))
		}
		return strconv.Itoa(g.Between(0, length))
	}
	switch g.Int(5) {
	case 0:
		return ":"
	case 1, 2:
		return place() + ":" + place()
	case 3:
		step := Pick(g, "1", "2", "-1", "3", "-2", "", strconv.Itoa(length+1), "-7", "1099511627776")
		if g.Chance(1) {
			step = "0"
		}
		return place() + ":" + place() + ":" + step
	}
	if length == 0 || g.Chance(2) {
		return strconv.Itoa(g.Between(-length-2, length+1))
	}
	return strconv.Itoa(g.Between(-length, length-1))
}

// Subscripts returns whole subscripts for an array: an index, sometimes fields before or after it, in brackets.
func (g *G) Subscripts(t dtype.Type, shape []int) string {
	var b strings.Builder
	if g.Chance(70) || !t.IsStruct() || t.NumField() == 0 {
		fmt.Fprintf(&b, "[%s]", g.Index(shape))
		if g.Chance(80) || !t.IsStruct() {
			return b.String()
		}
	}
	for t.IsStruct() && t.NumField() > 0 {
		f := t.Field(g.Int(t.NumField()))
		name := f.Name
		if f.Title != "" && g.Chance(30) {
			name = f.Title
		}
		fmt.Fprintf(&b, "[%s]", PythonString(name))
		t = f.DType.Elem()
		if g.Chance(60) {
			break
		}
	}
	return b.String()
}
