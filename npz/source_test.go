package npz_test

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
)

// noise returns an .npy file of numbers that cannot be compressed.
func noise(t *testing.T, fortran bool, shape ...int) []byte {
	t.Helper()
	h := format.Header{DType: dtype.Uint8, FortranOrder: fortran, Shape: shape}
	b, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	start := len(b)
	b = append(b, make([]byte, h.NBytes())...)
	if _, err := rand.NewChaCha8([32]byte{}).Read(b[start:]); err != nil {
		t.Fatal(err)
	}
	return b
}

// drain reads all blocks.
func drain(t *testing.T, src npy.Source, memory int64) (size int, err error) {
	for a, err := range src.Blocks(t.Context(), memory) {
		if err != nil {
			return size, err
		}
		size += a.Size()
	}
	return size, nil
}

// Whoever reads all elements learns that the member is damaged: at once, in blocks, in stored order, and if there are
// bytes after the array.
func TestSourceVerifies(t *testing.T) {
	for _, fortran := range []bool{false, true} {
		for _, trailing := range []int{0, 3 << 20} {
			data := append(noise(t, fortran, 300, 4000), make([]byte, trailing)...)
			for i, p := range []part{stored("a.npy", data), deflated(t, "a.npy", data), inPieces("a.npy", data, 17)} {
				whole := open(t, archive(p))
				p.crc ^= 1
				damaged := open(t, archive(p))
				for _, z := range []*npz.Reader{whole, damaged} {
					src, err := z.Source("a")
					if err != nil {
						t.Fatal(err)
					}
					order, reversed := npy.StoredOrder(src)
					if reversed != fortran {
						t.Errorf("%d, Fortran order %t: reversed %t", i, fortran, reversed)
					}
					_, errAll := src.ReadAll(t.Context())
					n, errBlocks := drain(t, src, 1<<20)
					m, errOrder := drain(t, order, 1<<20)
					_, errPart := src.Select(npy.At(0), npy.Span(0, 7))
					for _, err := range []error{errAll, errBlocks, errOrder} {
						if z == whole && err != nil || z == damaged && (err == nil || !strings.Contains(err.Error(), "CRC-32")) {
							t.Errorf("%d, Fortran order %t, %d bytes after it, damaged %t: error %v", i, fortran, trailing, z == damaged, err)
						}
					}
					if errPart != nil || z == whole && (n != 300*4000 || m != n) {
						t.Errorf("%d, Fortran order %t: %d and %d elements in blocks, error %v", i, fortran, n, m, errPart)
					}
				}
			}
		}
	}
}

// A stored array in Fortran order that is larger than the memory for blocks is verified before its blocks are read.
func TestSourceVerifiesFortran(t *testing.T) {
	if testing.Short() {
		t.Skip("65 MiB")
	}
	p := stored("a.npy", noise(t, true, 1<<16, 1040))
	for _, damage := range []uint32{0, 1} {
		p.crc ^= damage
		src, err := open(t, archive(p)).Source("a")
		if err != nil {
			t.Fatal(err)
		}
		n, err := drain(t, src, 1<<20)
		if damaged := damage > 0; damaged == (err == nil) || damaged && n > 0 {
			t.Errorf("damaged %t: %d elements, error %v", damaged, n, err)
		}
	}
}

// Parts that follow each other in a compressed member are decompressed in one pass, whoever asks for them.
func TestSourceInOnePass(t *testing.T) {
	data := noise(t, false, 1000, 4000)
	file := archive(deflated(t, "a.npy", data))
	m := &meter{ReaderAt: bytes.NewReader(file)}
	z, err := npz.NewReader(m, int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	src, err := z.Source("a")
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() error{
		"Blocks": func() error { _, err := drain(t, src, 100); return err },
		"Copier": func() error {
			return npy.Copier{Memory: 1 << 20}.Write(t.Context(), new(bytes.Buffer), src)
		},
		"parts": func() error {
			for i := range 100 {
				s, err := src.Select(npy.At(10 * i))
				if err == nil {
					_, err = s.ReadAll(t.Context())
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	} {
		m.bytes.Store(0)
		if err := read(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := m.bytes.Load(); n > int64(len(file))*5/4 {
			t.Errorf("%s: %d bytes read from an archive of %d", name, n, len(file))
		}
	}
}

func TestSourceErrors(t *testing.T) {
	data := noise(t, false, 100)
	short := stored("a.npy", data[:len(data)-1])
	if _, err := open(t, archive(short)).Source("a"); err == nil || !strings.Contains(err.Error(), "the array ends at byte 228 of the member, which has 227") {
		t.Errorf("a short member: error %v", err)
	}
	if _, err := open(t, archive(stored("a.txt", []byte("text")))).Source("a.txt"); !errors.Is(err, format.ErrMagic) {
		t.Errorf("text: error %v", err)
	}
	long := noise(t, false, 5000)
	cut := deflated(t, "a.npy", long)
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 6)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(long[:3000])
	w.Close()
	cut.data = b.Bytes()
	src, err := open(t, archive(cut)).Source("a")
	if err != nil {
		t.Fatal(err)
	}
	var at *npz.Error
	if _, err := drain(t, src, 0); !errors.As(err, &at) || at.Member != "a.npy" {
		t.Errorf("a member that ends early: error %v", err)
	}
	var memory npz.Decoder
	memory.Array.MaxBytes = 50
	z, err := memory.NewReader(bytes.NewReader(archive(stored("a.npy", data))), int64(len(archive(stored("a.npy", data)))))
	if err != nil {
		t.Fatal(err)
	}
	if src, err = z.Source("a"); err != nil {
		t.Fatal(err)
	}
	if _, err := src.ReadAll(t.Context()); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("over MaxBytes: error %v", err)
	}
}

func ExampleReader_Source() {
	var file bytes.Buffer
	w, err := npz.NewWriter(&file)
	if err != nil {
		panic(err)
	}
	if err := errors.Join(npz.Add(w, "m", []int32{1, 2, 3, 4, 5, 6}, 3, 2), w.Close()); err != nil {
		fmt.Println(err)
		return
	}
	z, err := npz.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	src, err := z.Source("m")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(src.DType().Name(), src.Shape())
	for a, err := range src.Blocks(context.Background(), 0) {
		fmt.Println(a, err)
	}
	// Output:
	// int32 [3 2]
	// [[1 2]
	//  [3 4]
	//  [5 6]] <nil>
}

// A part with many bytes between its elements takes memory for its elements, however the member is compressed, and has the
// elements that a part of the array has.
func TestSparsePart(t *testing.T) {
	const rows, columns = 40_000, 1000
	h := format.Header{DType: dtype.Uint8, Shape: []int{rows, columns}}
	data, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	start := len(data)
	for i := range rows * columns {
		data = append(data, byte(i>>9*7)) // compresses fast
	}
	a, err := npy.FromBytes(dtype.Uint8, data[start:], rows, columns)
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]part{"deflate": deflated(t, "a.npy", data), "pieces": inPieces("a.npy", data, 30)} {
		z := open(t, archive(p))
		src, err := z.Source("a")
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{":, 0", "::-1, ::-700", "[[3, 39999, 20000]]"} {
			index, err := npy.ParseIndex(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := a.Slice(index...)
			if err != nil {
				t.Fatal(err)
			}
			part, err := src.Select(index...)
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got, err := part.ReadAll(t.Context())
			runtime.ReadMemStats(&after)
			if err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s, [%s]: error %v, or other elements", name, text, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 20<<20 {
				t.Errorf("%s, [%s]: %d bytes allocated for %d", name, text, took, want.NBytes())
			}
		}
	}
}
