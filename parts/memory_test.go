package parts_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/parts"
)

// allocated returns the bytes that f allocates, all together.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// manifestOf returns the text of a manifest of n parts of one row.
func manifestOf(n int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"format": "npy parts", "version": 1, "dtype": "<f8", "shape": [%d, 3], "axis": 0, "parts": [`, n)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    {\"path\": \"part-%d.npy\", \"rows\": 1, \"etag\": \"%032x\", \"crc32\": \"%08x\"}", i, i, i)
	}
	b.WriteString("]}")
	return b.Bytes()
}

// A manifest of many parts is read, and one row of it found, in at most 200 bytes for each part, text and all steps together.
func TestMemoryOfParts(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 20_000
	}
	most := int64(200)
	if !bulk.Shares { // each path is a copy
		most = 320
	}
	text := manifestOf(n)
	rows, err := npy.New(dtype.Float64.WithByteOrder(dtype.LittleEndian), 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	open := func(_ context.Context, p parts.Part) (npy.Source, io.Closer, error) {
		if opened++; p.Path != fmt.Sprintf("part-%d.npy", n-7) {
			return nil, nil, errors.New("the part is not needed")
		}
		return rows, nil, nil
	}
	for name, index := range map[string][]npy.Index{
		"row": {npy.At(n - 7)}, "element": {npy.At(n - 7), npy.At(1)}, "slice": {npy.Span(n-7, n-6)}, "column": {npy.All(), npy.At(1)}, "steps": {npy.All().By(-2)},
	} {
		got := allocated(func() {
			m, err := parts.Decoder{MaxBytes: -1}.Decode(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			a, err := m.Open(open)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			src, err := a.Select(index...)
			if err != nil {
				t.Fatal(err)
			}
			if name == "column" || name == "steps" {
				return
			}
			if _, err := src.ReadAll(t.Context()); err != nil {
				t.Error(err)
			}
		})
		t.Logf("%s: %d bytes for each of %d parts, of which %d are the text", name, got/int64(n), n, len(text)/n)
		if got/int64(n) > most {
			t.Errorf("%s: %d bytes for each part, at most %d", name, got/int64(n), most)
		}
	}
	if opened != 3 {
		t.Errorf("%d parts were opened for three reads", opened)
	}
}

// Text that looks like many parts, and is not, takes memory in proportion to its bytes.
func TestMemoryFollowsTheText(t *testing.T) {
	for _, text := range []string{
		`{"format": "npy parts", "parts": [` + string(bytes.Repeat([]byte(`{"rows":`), 500_000)),
		`{"format": "npy parts", "parts": [{"path": ` + string(bytes.Repeat([]byte(`"rows"`), 500_000)),
		`{"format": "npy parts", "parts": [` + string(bytes.Repeat([]byte(`{"path":"a","rows":0},`), 200_000)),
		`{"format": "npy parts", "version": 1, "shape": ` + string(bytes.Repeat([]byte(`[`), 4<<20)),
		`{"format": "npy parts", "dtype": "` + string(bytes.Repeat([]byte(`\u00e9`), 500_000)) + `"`,
	} {
		var err error
		got := allocated(func() { _, err = parts.Decoder{}.Decode(bytes.NewReader([]byte(text))) })
		if err == nil || got > int64(12*len(text)) {
			t.Errorf("%.60s: error %v, %d bytes for %d of text", text, err, got, len(text))
		}
	}
}
