package npz_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// Members that are written piece by piece, and in part as copies of a value, have the bytes that were given, for every method.
func TestMemberWriter(t *testing.T) {
	rng := oracle.Rand(t)
	for _, e := range []npz.Encoder{{}, {Store: true}, {Zstd: true}, {Level: 1, Workers: 1}} {
		var file bytes.Buffer
		w := must(e.NewWriter(&file))
		var members [][]byte
		for i := range 6 {
			m := w.Start(fmt.Sprint(i))
			var want []byte
			for range rng.IntN(5) {
				value := make([]byte, 1+rng.IntN(13))
				if rng.IntN(2) == 0 {
					value[0] = byte(rng.Uint32())
				}
				if rng.IntN(2) == 0 {
					data := bytes.Repeat(value, rng.IntN([]int{5, 1 << 17}[rng.IntN(2)]))
					must(m.Write(data))
					want = append(want, data...)
				} else {
					n := rng.IntN([]int{5, 5 << 20}[rng.IntN(2)])/len(value) + rng.IntN(3)
					if err := m.WriteCopies(value, n); err != nil {
						t.Fatal(err)
					}
					want = append(want, bytes.Repeat(value, n)...)
				}
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Write([]byte{1}); err == nil {
				t.Error("a member was written after Close")
			}
			members = append(members, want)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		z := must(npz.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len())))
		for i, want := range members {
			f := must(z.Open(fmt.Sprint(i)))
			if got := must(io.ReadAll(f)); !bytes.Equal(got, want) {
				t.Errorf("%+v, member %d: %d bytes, want %d, or other ones", e, i, len(got), len(want))
			}
		}
	}
}

// Many copies cost little: 100 GB here.
func TestWriteCopies(t *testing.T) {
	var file bytes.Buffer
	w, err := npz.NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	const n, size = 1 << 30, 96
	cost := w.CopiesCost(make([]byte, size), n)
	m := w.Start("a")
	if err := errors.Join(m.WriteCopies(make([]byte, size), n), m.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	if int64(file.Len()) > 2*cost || cost > int64(size)*n/1000 {
		t.Errorf("an archive of %d bytes, and a cost of %d", file.Len(), cost)
	}
	z := must(npz.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len())))
	if e, _ := z.Entry("a"); e.Size != int64(size)*n {
		t.Errorf("a member of %d bytes, want %d", e.Size, int64(size)*n)
	}
}

// A member that was begun and not closed leaves an archive that cannot be completed; one that was not begun can be left.
func TestAbandonedMember(t *testing.T) {
	for _, size := range []int{10, 3 << 20} {
		w, err := npz.NewWriter(io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		m := w.Start("a")
		must(m.Write(make([]byte, size)))
		m.Abort()
		if err := w.Close(); (err == nil) != (size == 10) {
			t.Errorf("%d bytes of an abandoned member: Close returns %v", size, err)
		}
	}
}
