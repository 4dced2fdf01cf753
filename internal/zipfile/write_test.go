package zipfile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// hole is the size of a member that exists only as a hole in the file.
const hole = 5 << 30

// writeHole adds a stored member of 5 GiB without writing its data.
func writeHole(t *testing.T, w *Writer, f *os.File) {
	t.Helper()
	err := w.Stream(Entry{Name: "hole", NeededVersion: NeedsZip64}, 64, func(_ io.Writer, e *Entry) error {
		if err := w.w.Flush(); err != nil {
			return err
		}
		_, err := f.Seek(hole, io.SeekCurrent)
		w.offset += hole
		e.Size = hole
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Beyond 4 GiB sizes and offsets have 64 bits, and this package and archive/zip read them.
func TestZip64(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "a.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(hole + 1<<20); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	w := NewWriter(f, f)
	writeHole(t, w, f)
	err = w.Add(Entry{Name: "behind", CompressedSize: 4, Size: 4, CRC32: 0xadf3f363}, 64, func(w io.Writer) error {
		_, err := io.WriteString(w, "data")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close("comment"); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(w.offset); err != nil {
		t.Fatal(err)
	}
	d, err := ReadDirectory(f, w.offset, Limits{Members: 10, Ratio: 1})
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(f, w.offset)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range d.Entries {
		local := make([]byte, e.LocalSize())
		if _, err := f.ReadAt(local, e.HeaderOffset); err != nil {
			t.Fatal(err)
		}
		offset, err := e.DataOffset(local)
		if err != nil || offset%64 != 0 {
			t.Errorf("%s begins at %d, error %v", e.Name, offset, err)
		}
		other, err := z.File[i].DataOffset()
		if err != nil || other != offset || z.File[i].UncompressedSize64 != uint64(e.Size) || e.Size != []int64{hole, 4}[i] {
			t.Errorf("%s: %d bytes at %d, archive/zip has %d at %d, error %v", e.Name, e.Size, offset, z.File[i].UncompressedSize64, other, err)
		}
	}
	if len(d.Entries) != 2 || d.Comment != "comment" {
		t.Errorf("%d members, comment %q", len(d.Entries), d.Comment)
	}
}

func TestManyMembers(t *testing.T) {
	for _, n := range []int{65_535, 65_536} {
		var buf bytes.Buffer
		w := NewWriter(&buf, nil)
		for i := range n {
			name := fmt.Sprint(i)
			if err := w.Add(Entry{Name: name}, 0, func(io.Writer) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(""); err != nil {
			t.Fatal(err)
		}
		d, err := ReadDirectory(bytes.NewReader(buf.Bytes()), int64(buf.Len()), Limits{Members: 1 << 20, Ratio: 1})
		if err != nil || len(d.Entries) != n {
			t.Fatalf("%d members: error %v", n, err)
		}
		if got := bytes.Contains(buf.Bytes(), []byte(signEnd64)); got != (n > limitEntries) {
			t.Errorf("%d members: a zip64 end record: %v", n, got)
		}
		z, err := zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
		if err != nil || len(z.File) != n {
			t.Errorf("%d members: archive/zip has error %v", n, err)
		}
	}
}

// An entry must state the true size of its member.
func TestAddChecksTheSize(t *testing.T) {
	w := NewWriter(io.Discard, nil)
	err := w.Add(Entry{Name: "x", CompressedSize: 3}, 0, func(w io.Writer) error {
		_, err := io.WriteString(w, "data")
		return err
	})
	const want = `member "x": 4 bytes were written, but its header says 3`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if err := w.Close(""); err == nil || err.Error() != want {
		t.Errorf("Close: error %v, want %s", err, want)
	}
}

// The index has the start of every piece or, if there are too many, of every second or fourth piece.
func TestAppendPieces(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 19_000, 30_000, 100_001} {
		sizes := make([]int64, n)
		starts := map[int64]int{} // offset in the compressed data to offset in pieces
		total := int64(0)
		for i := range sizes {
			starts[total] = i
			sizes[i] = int64(1<<14 + i%1_000_000)
			total += sizes[i]
		}
		e := Entry{Method: Deflate, Size: int64(n)<<20 - 5, CompressedSize: total}
		e.SetExtra(AppendPieces(nil, 20, sizes))
		p, ok := e.Pieces()
		if ok != (n > 1) {
			t.Errorf("%d pieces: an index: %v", n, ok)
		}
		if len(e.Extra()) > maxPieces+4 || n > 19_000 && len(e.Extra()) < maxPieces/3 {
			t.Errorf("%d pieces: an index of %d bytes", n, len(e.Extra()))
		}
		for i, start := range p.Starts {
			if at, ok := starts[start]; !ok || int64(at)<<20 != int64(i)*p.Size {
				t.Fatalf("%d pieces: byte %d is said to be the start of piece %d of %d bytes", n, start, i, p.Size)
			}
		}
	}
}
