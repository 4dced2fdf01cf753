package npz_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// brokenMembers are the members of the archives of these tests, in their order.
func brokenMembers(t *testing.T) []npz.Member {
	t.Helper()
	array := func(data []int32, shape ...int) *npy.Array {
		a, err := npy.FromSlice(data, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	numbers := make([]int32, 120)
	for i := range numbers {
		numbers[i] = int32(i * i * 977)
	}
	return []npz.Member{
		{Name: "first", Array: array(numbers[:60], 20, 3)},
		{Name: "notes.txt", Bytes: []byte("not an array, but whole")},
		{Name: "fortran", Array: array(numbers[20:80], 20, 3).T()},
		{Name: "last", Array: array(numbers, 40, 3)},
	}
}

// TestRepairCut cuts archives at every byte. What was whole is saved, of the array that was cut the rows before the
// cut, and nothing else.
func TestRepairCut(t *testing.T) {
	members := brokenMembers(t)
	for name, e := range map[string]npz.Encoder{"stored": {Store: true}, "deflate": {}, "zstd": {Zstd: true}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			whole, broken, mended := filepath.Join(dir, "whole.npz"), filepath.Join(dir, "broken.npz"), filepath.Join(dir, "mended.npz")
			if err := e.Save(whole, members...); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(whole)
			if err != nil {
				t.Fatal(err)
			}
			step := 7
			if testing.Short() {
				step = 61
			}
			for n := 0; n <= len(data); n += step {
				if err := os.WriteFile(broken, data[:n], 0o666); err != nil {
					t.Fatal(err)
				}
				r, err := npz.RepairFile(broken, mended)
				if err != nil {
					if _, err := os.Stat(mended); err == nil {
						t.Fatalf("%d of %d bytes: an archive was left beside the error", n, len(data))
					}
					continue
				}
				checkRepaired(t, fmt.Sprintf("%d of %d bytes", n, len(data)), mended, r, members)
				if n < len(data) == r.Whole() {
					t.Errorf("%d of %d bytes: Whole is %v", n, len(data), r.Whole())
				}
				if err := os.Remove(mended); err != nil {
					t.Fatal(err)
				}
			}
			r, err := npz.RepairFile(whole, mended)
			if err != nil || !r.Whole() || r.Saved() != len(members) {
				t.Errorf("a whole archive: %+v, error %v", r, err)
			}
		})
	}
}

// checkRepaired compares an archive with the start of members.
func checkRepaired(t *testing.T, what, path string, r npz.Repair, members []npz.Member) {
	t.Helper()
	z, err := npz.Open(path)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer z.Close()
	if z.Len() != r.Saved() {
		t.Fatalf("%s: %d members, and %d were saved", what, z.Len(), r.Saved())
	}
	at := 0
	for i, m := range r.Members {
		if m.Err != nil {
			continue
		}
		if i < len(r.Members)-1 && m.Array != nil {
			t.Errorf("%s: member %s before the last is not whole", what, m.Name)
		}
		want := members[i]
		if z.Names()[at] != want.Name {
			t.Fatalf("%s: member %d is %s, want %s", what, at, z.Names()[at], want.Name)
		}
		at++
		if want.Bytes != nil {
			got, err := z.Bytes(want.Name)
			if err != nil || !bytes.Equal(got, want.Bytes) {
				t.Errorf("%s: member %s: %q, error %v", what, want.Name, got, err)
			}
			continue
		}
		got, err := z.Array(want.Name)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		rows := want.Array
		if m.Array != nil {
			axis := npy.Span(0, m.Array.New.Shape[0])
			if rows, err = rows.Slice(axis); want.Name == "fortran" {
				rows, err = want.Array.Slice(npy.All(), npy.Span(0, m.Array.New.Shape[1]))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got.DType() != rows.DType() || !slices.Equal(got.Shape(), rows.Shape()) || !bytes.Equal(got.Bytes(), rows.Bytes()) {
			t.Errorf("%s: member %s is %v, want %v", what, want.Name, got, rows)
		}
	}
}

// TestRepairStream cuts archives that were written to a pipe: the sizes and checksums of their members follow the data.
func TestRepairStream(t *testing.T) {
	data := make([]float64, 300_000) // members of more than a megabyte get data descriptors
	for i := range data {
		data[i] = float64(i) / 7
	}
	a, err := npy.FromSlice(data)
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]npz.Encoder{"stored": {Store: true}, "deflate": {}} {
		var b bytes.Buffer
		w, err := e.NewWriter(struct{ io.Writer }{&b})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b"} {
			if err := w.Add(name, a); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		broken, mended := filepath.Join(dir, "broken.npz"), filepath.Join(dir, "mended.npz")
		if err := os.WriteFile(broken, b.Bytes()[:b.Len()*3/4], 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := npz.RepairFile(broken, mended)
		if err != nil || r.Saved() != 2 || r.Members[0].Array != nil || r.Members[0].Unverified || r.Members[1].Array == nil {
			t.Fatalf("%s: %+v, error %v", name, r, err)
		}
		z, err := npz.Open(mended)
		if err != nil {
			t.Fatal(err)
		}
		first, _, err1 := npz.Load[float64](z, "a")
		second, _, err2 := npz.Load[float64](z, "b")
		if err := errors.Join(err1, err2, z.Close()); err != nil {
			t.Fatal(err)
		}
		if len(first) != len(data) || len(second) < len(data)/3 || second[len(second)-1] != data[len(second)-1] {
			t.Errorf("%s: %d and %d elements", name, len(first), len(second))
		}
	}
}

// TestRepairDamaged changes bytes of an archive with a directory.
func TestRepairDamaged(t *testing.T) {
	members := brokenMembers(t)
	dir := t.TempDir()
	broken, mended := filepath.Join(dir, "broken.npz"), filepath.Join(dir, "mended.npz")
	if err := (npz.Encoder{Store: true}).Save(broken, members...); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(broken)
	if err != nil {
		t.Fatal(err)
	}
	data[300]++ // within the elements of the first member
	if err := os.WriteFile(broken, data, 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := npz.RepairFile(broken, mended)
	var wrong *npz.Error
	if err != nil || r.Saved() != 3 || !errors.As(r.Members[0].Err, &wrong) || wrong.Member != "first.npy" {
		t.Errorf("a wrong checksum: %+v, error %v", r, err)
	}
	if _, err := npz.RepairFile(broken, broken); err == nil {
		t.Error("an archive was repaired into itself")
	}
	if err := os.WriteFile(broken, []byte("no archive"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := npz.RepairFile(broken, mended); !errors.Is(err, npz.ErrArchive) {
		t.Errorf("no archive: error %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := os.WriteFile(broken, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := (npz.Repairer{}).RepairFile(cancelled, broken, mended); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: error %v", err)
	}
}

// TestRepairManySignatures searches an archive that is full of what looks like local headers. Each search must go on
// where the last one ended: reading again takes minutes.
func TestRepairManySignatures(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.npz")
	for _, text := range []string{"PK\x03\x04", "PK\x03\x04\x14\x00\x00\x00\x5d\x00PK\x03\x04\x14\x00\x08\x00\x5d\x00" + strings.Repeat("\x00", 16) + "\x01\x00\x00\x00"} {
		if err := os.WriteFile(broken, bytes.Repeat([]byte(text), 1<<20/len(text)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := npz.RepairFile(broken, filepath.Join(dir, "mended.npz")); err == nil {
			t.Error("members were found")
		}
	}
}

// TestRepairEmpty repairs archives whose directory names no member: np.savez of nothing, which is whole, and one that has
// members all the same.
func TestRepairEmpty(t *testing.T) {
	dir := t.TempDir()
	broken, mended := filepath.Join(dir, "broken.npz"), filepath.Join(dir, "mended.npz")
	empty := "PK\x05\x06" + strings.Repeat("\x00", 18)
	var b bytes.Buffer
	w, err := npz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(npz.Add(w, "a", []int16{1, 2, 3}), w.Close()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, data string
		members    int
		whole      bool
	}{
		{"empty", empty, 0, true},
		{"bytes before", "a program" + empty, 0, true},
		{"members before", b.String() + empty, 1, false},
	} {
		if err := os.WriteFile(broken, []byte(test.data), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := npz.RepairFile(broken, mended)
		if err != nil || r.Saved() != test.members || r.Whole() != test.whole {
			t.Errorf("%s: %d members saved, whole %v, error %v", test.name, r.Saved(), r.Whole(), err)
			continue
		}
		z, err := npz.Open(mended)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := len(z.Names()); got != test.members {
			t.Errorf("%s: %d members were written, want %d", test.name, got, test.members)
		}
		z.Close()
	}
}

// FuzzRepair repairs any bytes: it must not panic, and what it writes must be an archive without faults.
func FuzzRepair(f *testing.F) {
	var b bytes.Buffer
	w, err := npz.NewWriter(&b)
	if err != nil {
		f.Fatal(err)
	}
	if err := errors.Join(npz.Add(w, "a", []int16{1, 2, 3}), w.AddBytes("n", []byte("text")), w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:b.Len()-10])
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		broken, mended := filepath.Join(dir, "broken.npz"), filepath.Join(dir, "mended.npz")
		if err := os.WriteFile(broken, data, 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := npz.RepairFile(broken, mended)
		if err != nil {
			return
		}
		z, err := npz.Open(mended)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for i, name := range z.Names() {
			if _, err := z.Bytes(name); err != nil {
				t.Fatalf("member %d of %d: %v", i, r.Saved(), err)
			}
		}
	})
}

func ExampleRepairFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path, mended := filepath.Join(dir, "model.npz"), filepath.Join(dir, "mended.npz")
	a, err := npy.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2)
	if err != nil {
		panic(err)
	}
	if err := (npz.Encoder{Store: true}).Save(path, npz.Member{Name: "w", Array: a}); err != nil {
		panic(err)
	}
	if err := os.Truncate(path, 230); err != nil { // as if the writer had been killed
		panic(err)
	}
	r, err := npz.RepairFile(path, mended)
	if err != nil {
		panic(err)
	}
	for _, m := range r.Members {
		fmt.Println(m.Name, "has", m.Array.New.Shape[0], "of", m.Array.Old.Shape[0], "rows")
	}
	// Output: w.npy has 2 of 3 rows
}
