package fields_test

import (
	"fmt"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/internal/oracle"
)

func parse(t *testing.T, text string) dtype.Type {
	t.Helper()
	d, err := dtype.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOf(t *testing.T) {
	for _, test := range []struct{ dtype, want string }{
		{"<f8", "[{ <f8 0 [] []}]"},
		{"[('a', '<i2'), ('b', [('c', '|u1'), ('d', '<f4', (2, 3))], (4,))]", "[{a <i2 0 [] []} {b.c |u1 2 [4] [25]} {b.d <f4 3 [4 2 3] [25 12 4]}]"},
		{"[('e', '<f8', (0, 2)), ('z', '|S0', (3,))]", "[{e <f8 0 [0 2] [0 0]} {z |S0 0 [3] [0]}]"},
	} {
		got := ""
		for _, f := range fields.Of(parse(t, test.dtype)) {
			got += fmt.Sprintf(" {%s %s %d %v %v}", f.Name, f.DType.Descr(), f.Offset, f.Dims, f.Strides)
		}
		if got := "[" + got[1:] + "]"; got != test.want {
			t.Errorf("%s: %s, want %s", test.dtype, got, test.want)
		}
	}
}

// Items are found as by a loop over the axes of the enclosing subarrays.
func TestItems(t *testing.T) {
	var buf []byte
	r := oracle.Rand(t)
	for _, text := range []string{
		"<f8", "[('a', '<i2'), ('b', [('c', '|u1'), ('d', '<f4', (2, 3))], (4,))]", "[('e', '<f8', (0, 2)), ('z', '|S0', (3,)), ('y', '|S3')]",
	} {
		d := parse(t, text)
		const n = 7
		data := make([]byte, n*d.ItemSize())
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		for _, f := range fields.Of(d) {
			var want []byte
			for i := range n {
				want = appendItems(want, data, f.Place, i*d.ItemSize()+f.Offset, 0)
			}
			if got := f.Items(&buf, data, n, d.ItemSize()); string(got) != string(want) {
				t.Errorf("%s of %s: %v, want %v", f.Name, text, got, want)
			}
		}
	}
}

func appendItems(to, data []byte, p fields.Place, at, axis int) []byte {
	if axis == len(p.Dims) {
		return append(to, data[at:at+p.DType.ItemSize()]...)
	}
	for i := range p.Dims[axis] {
		to = appendItems(to, data, p, at+i*p.Strides[axis], axis+1)
	}
	return to
}
