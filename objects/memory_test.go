package objects_test

import (
	"bytes"
	"runtime"
	"strconv"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
)

// TestMemory reads large arrays of objects from memory: all allocations together are at most twice the size of the
// values, and the data after the pickle remains to be read.
func TestMemory(t *testing.T) {
	if !bulk.Shares || strconv.IntSize == 32 {
		t.Skip("without unsafe each value has memory of its own besides, and on 32 bits values take half of that of the array")
	}
	const n, rest = 100_000, "what follows"
	for name, tt := range map[string]struct {
		value func(i int) any
		size  int // of a value, with the interface
	}{
		"ints":    {func(i int) any { return int64(1000 + i) }, 16 + 8},
		"floats":  {func(i int) any { return float64(i) / 8 }, 16 + 8},
		"strings": {func(i int) any { return "string " + strconv.Itoa(n+i) }, 16 + 16 + len("string ######")},
	} {
		values := make([]any, n)
		for i := range values {
			values[i] = tt.value(i)
		}
		var file bytes.Buffer
		if err := writing.Write(&file, must(npy.FromObjects(values))); err != nil {
			t.Fatal(err)
		}
		file.WriteString(rest)
		r := bytes.NewReader(file.Bytes())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a, err := reading.Read(r)
		runtime.ReadMemStats(&after)
		if err != nil || a.Object(n-1) != values[n-1] {
			t.Fatalf("%s: Read gives %v, error %v", name, a, err)
		}
		if r.Len() != len(rest) {
			t.Errorf("%s: %d bytes are left, want %d", name, r.Len(), len(rest))
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(2*n*tt.size) {
			t.Errorf("%s: %d bytes allocated for values of %d", name, took, n*tt.size)
		}
	}
}
