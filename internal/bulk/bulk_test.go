package bulk

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

// bytesFrom returns n bytes that start skip bytes after an aligned address, filled with repetitions of seed.
func bytesFrom(n, skip int, seed []byte) []byte {
	b := Make(n + skip)[skip:]
	for i := range b {
		b[i] = byte(i) * 37
		if len(seed) > 0 {
			b[i] += seed[i%len(seed)]
		}
	}
	return b
}

func FuzzSwap(f *testing.F) {
	for _, width := range []uint8{1, 2, 3, 4, 8, 16} {
		for _, n := range []uint16{0, 1, 2, 7, 8, 9, 100, 1000} {
			f.Add(width, n, uint8(n%5), uint8(n%3), []byte{1})
		}
	}
	f.Fuzz(func(t *testing.T, width uint8, n uint16, dstSkip, srcSkip uint8, seed []byte) {
		w := int(width%17) + 1
		size := int(n) % 5000 / w * w
		src := bytesFrom(size, int(srcSkip%17), seed)
		want := make([]byte, size)
		swapPlain(want, src, w)
		got := bytesFrom(size, int(dstSkip%17), nil)
		Swap(got, src, w)
		if !bytes.Equal(got, want) {
			t.Fatalf("Swap of %d bytes in elements of %d: got % x, want % x", size, w, got, want)
		}
		Swap(src, src, w)
		if !bytes.Equal(src, want) {
			t.Fatalf("Swap of %d bytes in elements of %d in place: got % x, want % x", size, w, src, want)
		}
	})
}

func TestSwapKeepsNeighbours(t *testing.T) {
	dst := bytes.Repeat([]byte{0xee}, 40)
	Swap(dst[8:24], make([]byte, 16), 8)
	if !bytes.Equal(dst[:8], dst[24:32]) || dst[8] != 0 {
		t.Errorf("Swap wrote outside its destination: % x", dst)
	}
}

func TestLengthsAreChecked(t *testing.T) {
	for name, f := range map[string]func(){
		"Swap":       func() { Swap(make([]byte, 7), make([]byte, 8), 2) },
		"Decode":     func() { Decode(make([]uint32, 2), make([]byte, 7), false) },
		"DecodeSwap": func() { Decode(make([]uint32, 2), make([]byte, 7), true) },
		"Encode":     func() { Encode(make([]byte, 7), make([]uint32, 2), false) },
		"EncodeSwap": func() { Encode(make([]byte, 7), make([]uint32, 2), true) },
		"Widen":      func() { Widen(make([]float64, 1), make([]float32, 2)) },
		"Bools":      func() { Bools(make([]bool, 2), make([]byte, 1)) },
		"PutBools":   func() { PutBools(make([]byte, 1), make([]bool, 2)) },
		"Copy":       func() { Copy(make([]byte, 4), 0, []int{1}, make([]byte, 3), 0, []int{1}, []int{4}) },
		"CopyBack":   func() { Copy(make([]byte, 4), 0, []int{1}, make([]byte, 4), 2, []int{-1}, []int{4}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("a length that does not fit did not panic")
				}
			}()
			f()
		})
	}
}

func TestAppendBoxed(t *testing.T) {
	ints, texts := []int64{-1, 0, 255, 1 << 40}, []string{"", "a", "text"}
	got := AppendBoxed(AppendBoxed([]any{true}, ints), texts)
	want := []any{true, int64(-1), int64(0), int64(255), int64(1 << 40), "", "a", "text"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("AppendBoxed gives %v, want %v", got, want)
	}
	for range 100 { // values that only interfaces point to stay
		list := AppendBoxed(nil, []string{String([]byte("kept ")), fmt.Sprint("al", "ive")})
		runtime.GC()
		if text := list[0].(string) + list[1].(string); text != "kept alive" {
			t.Fatalf("after a collection the values are %q", text)
		}
	}
	if s := String(nil); s != "" {
		t.Errorf("String(nil) = %q", s)
	}
}

// numbers compares the fast path of T with the plain one.
func numbers[T Number](t *testing.T, n, skip int, seed []byte, swap bool) {
	size := int(reflect.TypeFor[T]().Size())
	src := bytesFrom(n*size, skip, seed)
	got, want := make([]T, n), make([]T, n)
	Decode(got, src, swap)
	decodePlain(want, src, byteOrder(swap))
	back, plain := bytesFrom(n*size, skip+1, nil), make([]byte, n*size)
	Encode(back, got, swap)
	encodePlain(plain, want, byteOrder(swap))
	if !bytes.Equal(back, plain) || !bytes.Equal(back, src) {
		t.Fatalf("%T, swap %v, %d elements: fast gives % x, plain % x, want % x", got, swap, n, back, plain, src)
	}
	for i := range got {
		if got[i] != want[i] && got[i] == got[i] { // NaNs are compared as bytes above
			t.Fatalf("%T, swap %v: Decode element %d of % x: got %v, want %v", got, swap, i, src, got[i], want[i])
		}
	}
}

func allNumbers(t *testing.T, n, skip int, seed []byte, swap bool) {
	numbers[int](t, n, skip, seed, swap)
	numbers[int8](t, n, skip, seed, swap)
	numbers[int16](t, n, skip, seed, swap)
	numbers[int32](t, n, skip, seed, swap)
	numbers[int64](t, n, skip, seed, swap)
	numbers[uint](t, n, skip, seed, swap)
	numbers[uint8](t, n, skip, seed, swap)
	numbers[uint16](t, n, skip, seed, swap)
	numbers[uint32](t, n, skip, seed, swap)
	numbers[uint64](t, n, skip, seed, swap)
	numbers[float32](t, n, skip, seed, swap)
	numbers[float64](t, n, skip, seed, swap)
	numbers[complex64](t, n, skip, seed, swap)
	numbers[complex128](t, n, skip, seed, swap)
}

func FuzzDecodeEncode(f *testing.F) {
	for n := range uint8(9) {
		f.Add(n, n%4, []byte{0x7f, 0xf0, 1, 2, 3}, n%2 == 0)
	}
	f.Fuzz(func(t *testing.T, n, skip uint8, seed []byte, swap bool) {
		allNumbers(t, int(n%64), int(skip%16), seed, swap)
	})
}

// TestByteOrder fixes the meaning of the plain functions, and so of all others.
func TestByteOrder(t *testing.T) {
	src := []byte{1, 2, 3, 4}
	native, other := make([]uint32, 1), make([]uint32, 1)
	Decode(native, src, false)
	Decode(other, src, true)
	big, little := native[0], other[0]
	if !hostIsBig {
		big, little = little, big
	}
	if big != 0x01020304 || little != 0x04030201 {
		t.Errorf("decoded % x as %#x in big-endian and %#x in little-endian order", src, big, little)
	}
}

func TestWiden(t *testing.T) {
	d := make([]float64, 4)
	Widen(d, []float32{1.5, float32(math.Inf(-1)), 0, math.MaxFloat32})
	if want := []float64{1.5, math.Inf(-1), 0, math.MaxFloat32}; !slices.Equal(d, want) {
		t.Errorf("Widen: got %v, want %v", d, want)
	}
	i := make([]int64, 3)
	Widen(i, []int8{-128, 0, 127})
	if want := []int64{-128, 0, 127}; !slices.Equal(i, want) {
		t.Errorf("Widen: got %v, want %v", i, want)
	}
	c := make([]complex64, 2)
	WidenComplex(c, []int16{-3, 4})
	if want := []complex64{-3, 4}; !slices.Equal(c, want) {
		t.Errorf("WidenComplex: got %v, want %v", c, want)
	}
}

func TestBools(t *testing.T) {
	got := make([]bool, 4)
	Bools(got, []byte{0, 1, 2, 255})
	if want := []bool{false, true, true, true}; !slices.Equal(got, want) {
		t.Errorf("Bools: got %v, want %v", got, want)
	}
	b := []byte{9, 9, 9}
	PutBools(b, []bool{false, true})
	if want := []byte{0, 1, 9}; !bytes.Equal(b, want) {
		t.Errorf("PutBools: got %v, want %v", b, want)
	}
}

func TestMakeIsAligned(t *testing.T) {
	for n := range 600 {
		checkMake(t, Make(n), n)
		checkMake(t, Make(97*n), 97*n)
	}
}

func TestMakeDirty(t *testing.T) {
	for _, n := range []int{0, 1, 17, 1<<20 - 1, 1 << 20, 1<<20 + 1, 5 << 20} {
		b := MakeDirty(n)
		if len(b) != n {
			t.Fatalf("MakeDirty(%d) has length %d", n, len(b))
		}
		for i := range b {
			b[i] = 0
		}
		checkMake(t, b[:n:n], n)
	}
}

func checkMake(t *testing.T, b []byte, n int) {
	t.Helper()
	if len(b) != n || cap(b) != n {
		t.Fatalf("Make(%d): length %d, capacity %d", n, len(b), cap(b))
	}
	for i, x := range b {
		if x != 0 {
			t.Fatalf("Make(%d): byte %d is %d", n, i, x)
		}
	}
	if !Shares || n < 16 {
		return
	}
	_, ok8 := View[uint64](b[:8])
	_, ok16 := View[complex128](b[:16])
	if !ok8 || !ok16 {
		t.Fatalf("Make(%d) cannot be viewed as uint64 (%v) or complex128 (%v)", n, ok8, ok16)
	}
}

func TestView(t *testing.T) {
	if !Shares {
		if _, ok := View[uint16](Make(2)); ok {
			t.Fatal("View shares memory in a build without unsafe")
		}
		if _, ok := Bytes([]uint16{1}); ok {
			t.Fatal("Bytes shares memory in a build without unsafe")
		}
		return
	}
	b := Make(64)
	for _, skip := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16} {
		viewRule[uint8](t, b, skip)
		viewRule[int16](t, b, skip)
		viewRule[float32](t, b, skip)
		viewRule[uint64](t, b, skip)
		viewRule[[2]uint64](t, b, skip)
		viewRule[complex128](t, b, skip)
		viewRule[[3]byte](t, b, skip)
	}
	if _, ok := View[struct{}](b); ok {
		t.Error("View as elements of 0 bytes succeeded")
	}
	if v, ok := View[uint64](nil); !ok || len(v) != 0 {
		t.Errorf("View of nothing: got %v, %v, want an empty slice", v, ok)
	}
	v, _ := View[uint32](b[8:16])
	v[1] = 0x01010101
	if b[11] != 0 || b[12] != 1 || b[15] != 1 || b[16] != 0 {
		t.Errorf("View does not share the bytes it was made of: % x", b[8:18])
	}
	back, ok := Bytes(v)
	if !ok || &back[0] != &b[8] || len(back) != 8 {
		t.Errorf("Bytes of a View: %d bytes, shared %v", len(back), ok)
	}
}

// viewRule checks View[T] of all lengths, skip bytes after an aligned address: View succeeds if and only if the bytes
// are aligned and whole.
func viewRule[T any](t *testing.T, b []byte, skip int) {
	t.Helper()
	typ := reflect.TypeFor[T]()
	for n := 1; n <= len(b)-skip; n++ {
		v, ok := View[T](b[skip : skip+n])
		want := n%int(typ.Size()) == 0 && skip%typ.Align() == 0
		if ok != want {
			t.Fatalf("View[%v] of %d bytes %d behind an aligned address: got %v, want %v", typ, n, skip, ok, want)
		}
		if ok && (len(v) != n/int(typ.Size()) || cap(v) != len(v)) {
			t.Fatalf("View[%v] of %d bytes: length %d, capacity %d", typ, n, len(v), cap(v))
		}
	}
}

func TestBytesOfBytes(t *testing.T) {
	s := []byte{1, 2}
	if b, ok := Bytes(s); !ok || &b[0] != &s[0] || len(b) != 2 {
		t.Errorf("Bytes of a []byte: got %v, %v", b, ok)
	}
}

func TestAdviseHuge(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 20, 4 << 20, 4<<20 + 1, 9 << 20} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b := Make(n)
			if n > 0 {
				b[0], b[n-1] = 1, 2
			}
			AdviseHuge(b)
			for i, x := range b {
				if x != 0 && i != 0 && i != n-1 {
					t.Fatalf("byte %d is %d", i, x)
				}
			}
			if n > 1 && (b[0] != 1 || b[n-1] != 2) {
				t.Error("AdviseHuge changed the ends")
			}
		})
	}
}

func TestMakeFill(t *testing.T) {
	type plain struct {
		A int8
		B [2]struct{ C float64 }
	}
	type pointing struct {
		A int8
		B [1]string
	}
	for _, n := range []int{0, 1, 1000, 1 << 20} {
		for i, s := range MakeFill[pointing](n) {
			if s != (pointing{}) {
				t.Fatalf("%d values with pointers: number %d is %v", n, i, s)
			}
		}
		plains := MakeFill[plain](n)
		clear(plains)
		if got := len(plains); got != n || len(MakeHuge[plain](n)) != n {
			t.Errorf("got %d values, want %d", got, n)
		}
	}
}

func TestHasPointers(t *testing.T) {
	for _, c := range []struct {
		value any
		want  bool
	}{
		{int8(0), false}, {complex128(0), false}, {true, false}, {[3]float32{}, false}, {[0]string{}, false},
		{struct{ A, B int }{}, false}, {struct{}{}, false},
		{"", true}, {[]byte{}, true}, {new(int), true}, {[2]string{}, true}, {struct {
			A int
			B []int
		}{}, true}, {map[int]int{}, true}, {func() {}, true}, {make(chan int), true},
	} {
		if got := hasPointers(reflect.TypeOf(c.value)); got != c.want {
			t.Errorf("hasPointers(%T) = %v, want %v", c.value, got, c.want)
		}
	}
}

func TestRepeat(t *testing.T) {
	for _, size := range []int{1, 3, 8, 1000, 40 << 10} {
		value := make([]byte, size)
		for i := range value {
			value[i] = byte(i*7 + size)
		}
		for _, n := range []int{0, 1, 2, 5, 100, 100_000/size + 1} {
			dst := make([]byte, n*size+1)
			Repeat(dst[:n*size], value)
			for i, x := range dst[:n*size] {
				if x != value[i%size] {
					t.Fatalf("%d copies of %d bytes: byte %d is %d, want %d", n, size, i, x, value[i%size])
				}
			}
			if dst[n*size] != 0 {
				t.Errorf("%d copies of %d bytes: a byte after them was written", n, size)
			}
		}
	}
}

// Copies are all of the copies, in pieces that are whole, with the bytes of Repeat.
func TestCopies(t *testing.T) {
	for _, value := range [][]byte{nil, {7}, {1, 2, 3}, make([]byte, 100)} {
		for _, n := range []int{-1, 0, 1, 2, 9, 10, 11, 1000} {
			for _, limit := range []int{0, 1, 30, 1 << 20} {
				var all []byte
				for piece := range Copies(value, n, limit) {
					if len(piece) == 0 || len(piece)%len(value) > 0 || len(piece) > max(limit, len(value)) {
						t.Fatalf("%d copies of %d bytes, at most %d: a piece of %d", n, len(value), limit, len(piece))
					}
					all = append(all, piece...)
				}
				if want := bytes.Repeat(value, max(n, 0)); !bytes.Equal(all, want) {
					t.Errorf("%d copies of %d bytes, at most %d: %d bytes, or others", n, len(value), limit, len(all))
				}
			}
		}
	}
	for b, want := range map[string]bool{"": true, "\x00\x00": true, "\x00\x01": false, "\x01\x00": false} {
		if got := IsZero([]byte(b)); got != want {
			t.Errorf("%q: %t", b, got)
		}
	}
}
