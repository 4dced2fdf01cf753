package pickle

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy/pickle/internal/machine"
)

// nones returns the opcodes of n None.
func nones(n int) string { return strings.Repeat("N", n) }

// TestLargeStack takes containers from a large stack, which may give its memory to the container.
func TestLargeStack(t *testing.T) {
	const n = machine.ManyItems + 1
	for _, c := range []struct{ name, ops, want string }{
		{"list", "(" + nones(n) + "l.", fmt.Sprint("list ", n)},
		{"values around it", "(K\x01(" + nones(n) + "lK\x02t.", fmt.Sprint("tuple 3: 1, list ", n, ", 2")},
		{"as many values below", "(" + nones(n) + "(" + nones(n) + "tl.", fmt.Sprint("list ", n+1)},
		{"more values below", "(" + nones(2*n) + "(" + nones(n) + "ll.", fmt.Sprint("list ", 2*n+1)},
		{"appended to later", "](" + nones(n) + "e(K\x01K\x02eK\x03a.", fmt.Sprint("list ", n+3)},
		{"appended again", "](" + nones(n) + "e(" + nones(n) + "e.", fmt.Sprint("list ", 2*n)},
		{"two of them", "((" + nones(n) + "l(" + nones(n) + "lt.", fmt.Sprint("tuple 2: list ", n, ", list ", n)},
	} {
		for _, hint := range []int{0, n, 4 * n} {
			v, err := Decoder{SizeHint: hint}.Decode(strings.NewReader(c.ops))
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got := outline(t, v); got != c.want {
				t.Errorf("%s with SizeHint %d: got %s, want %s", c.name, hint, got, c.want)
			}
		}
	}
}

// outline returns the kind and length of a container, and the items of a tuple. In a list, only the items after the first
// None may differ from None.
func outline(t *testing.T, v any) string {
	switch v := v.(type) {
	case *List:
		none := 0
		for _, x := range v.Items {
			if x == nil {
				none++
			}
		}
		if len(v.Items)-none > 3 || v.Items[0] != nil {
			t.Errorf("a list of %d items has %d None", len(v.Items), none)
		}
		return fmt.Sprint("list ", len(v.Items))
	case *Tuple:
		var items []string
		for _, x := range v.Items {
			items = append(items, outline(t, x))
		}
		return fmt.Sprintf("tuple %d: %s", len(items), strings.Join(items, ", "))
	}
	return fmt.Sprint(v)
}

// TestLargeStackMemory bounds the memory that is allocated for a long list: the list, and a third for the smaller stacks. The
// list just fits a size to which the stack grows.
func TestLargeStackMemory(t *testing.T) {
	const n = 1<<20 - machine.Few
	size := n * int(reflect.TypeFor[any]().Size())
	for _, hint := range []int{0, n} {
		for _, ops := range []string{"(" + nones(n) + "l.", "](" + nones(n) + "e.", "(" + nones(n) + "t."} {
			data := []byte(ops)
			before := allocatedBytes()
			if _, _, err := (Decoder{SizeHint: hint}).DecodeBytes(data); err != nil {
				t.Fatal(err)
			}
			if got := allocatedBytes() - before; got > size*3/2 {
				t.Errorf("%.3q with SizeHint %d: allocated %d bytes, the values take %d", ops, hint, got, size)
			}
		}
	}
}

// allocatedBytes returns the number of bytes allocated so far.
func allocatedBytes() int {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.TotalAlloc)
}
