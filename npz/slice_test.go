package npz_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// A meter counts the bytes that are read.
type meter struct {
	io.ReaderAt
	bytes atomic.Int64
}

func (m *meter) ReadAt(b []byte, at int64) (int, error) {
	m.bytes.Add(int64(len(b)))
	return m.ReaderAt.ReadAt(b, at)
}

// For a column of a stored member only the column is read, not everything between its ends.
func TestSliceOfStored(t *testing.T) {
	values := make([]int64, 200*3000)
	for i := range values {
		values[i] = int64(i)
	}
	a, err := npy.FromSlice(values, 200, 3000)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := npz.Encoder{Store: true}.NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add("a", a); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m := &meter{ReaderAt: bytes.NewReader(file.Bytes())}
	z, err := npz.NewReader(m, int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	m.bytes.Store(0)
	b, err := z.Slice("a", npy.Span(0, 3), npy.At(-1))
	if err != nil || fmt.Sprint(b) != "[2999 5999 8999]" {
		t.Errorf("%v, %v", b, err)
	}
	if n := m.bytes.Load(); n > 8<<10 {
		t.Errorf("%d bytes read for a column of 3", n)
	}
}

// A slice of everything, and a slice for which a member is decoded to its end, verify the checksum; other slices
// cannot.
func TestSliceChecksum(t *testing.T) {
	data := file[float64](t, 100, 50)
	for name, p := range map[string]part{
		"stored": stored("a.npy", data), "deflated": deflated(t, "a.npy", data), "in pieces": inPieces("a.npy", data, 12),
		"zstd": {name: "a.npy", method: npz.Zstd, data: zstdOf(t, data), size: int64(len(data)), crc: crc32.ChecksumIEEE(data)},
	} {
		p.crc ^= 1
		z := open(t, archive(p))
		for index, want := range map[string]bool{
			"[:]": true, "[...]": true, "[::-1, ::-1]": true, "[-1]": name == "deflated" || name == "zstd", "[5:, 3]": false, "[0]": false, "[:-1]": false,
		} {
			parsed, err := npy.ParseIndex(index)
			if err != nil {
				t.Fatal(err)
			}
			a, err := z.Slice("a", parsed...)
			var located *npz.Error
			if want != (err != nil) || err != nil && (!errors.As(err, &located) || located.Member != "a.npy" || strings.Count(err.Error(), "member") != 1 || !strings.Contains(err.Error(), "CRC-32")) {
				t.Errorf("%s, %s: %v, error %v, want one about the CRC-32: %v", name, index, a, err, want)
			}
		}
	}
}
