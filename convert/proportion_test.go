package convert_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// A heapWriter records the memory in use when text is written.
type heapWriter struct{ most uint64 }

func (h *heapWriter) Write(p []byte) (int, error) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.most = max(h.most, m.HeapAlloc)
	return len(p), nil
}

// Text that has 25 bytes for each byte of the elements is written without holding the text of many elements.
func TestLongElementsInLittleMemory(t *testing.T) {
	const items, rows = 1 << 17, 64 // 3 MB of text each, 200 MB together
	a, err := npy.New(mustParse(t, fmt.Sprintf("[('x', '|b1', (%d,))]", items)), rows)
	if err != nil {
		t.Fatal(err)
	}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	w := &heapWriter{}
	if err := convert.Write(context.Background(), w, convert.TXT, a, convert.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if used, most := int64(w.most)-int64(before.HeapAlloc), int64(128<<20); used > most {
		t.Errorf("%d MB of memory for elements of %d KB, want at most %d", used>>20, items>>10, most>>20)
	}
}

// A long name does not widen a column of single digits to 64 characters.
func TestLongNamesOfTables(t *testing.T) {
	const rows = 5000
	a, err := npy.New(mustParse(t, "[('"+strings.Repeat("n", 200)+"', '|u1')]"), rows)
	if err != nil {
		t.Fatal(err)
	}
	text, err := write(convert.MD, a, convert.WriteOptions{})
	if most := 40 * rows; err != nil || len(text) > most {
		t.Errorf("%d bytes of Markdown for %d bytes, %v, want at most %d", len(text), rows, err, most)
	}
}

// The name of a field is in the name of each of its columns, so a header of some kilobytes could become any amount of text.
func TestNamesOfAllColumnsAreLimited(t *testing.T) {
	name := strings.Repeat("n", 50_000)
	for _, descr := range []string{
		"[('" + name + "', '|u1', (2000,))]",
		"[('" + name + "', [('a', '|u1', (1000,)), ('b', '|u1', (50, 20))])]",
	} {
		a, err := npy.New(mustParse(t, descr), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []convert.Format{convert.CSV, convert.MD} {
			var limit *npy.LimitError
			if _, err := write(f, a, convert.WriteOptions{}); !errors.As(err, &limit) || !strings.Contains(err.Error(), "select fields") {
				t.Errorf("%s of %.10s…%s: error %v, want a LimitError with the way out", f, descr, descr[len(descr)-20:], err)
			}
		}
		if _, err := write(convert.JSON, a, convert.WriteOptions{}); err != nil {
			t.Errorf("JSON: %v", err)
		}
	}
}

// A context that ends stops reading, with its cause.
func TestReadStopsWithItsContext(t *testing.T) {
	text := strings.Repeat("1,2,3\n", 1<<16)
	cause := errors.New("enough")
	for _, f := range []convert.Format{convert.CSV, convert.NDJSON, convert.JSON, convert.PNG} {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(cause)
		if _, _, err := convert.Read(ctx, strings.NewReader(text), f, convert.ReadOptions{}); !errors.Is(err, cause) {
			t.Errorf("%s: error %v, want the cause of the context", f, err)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	o := convert.ReadOptions{DType: dtype.Float64, Progress: func(_, _ int64) { cancel(cause) }}
	if _, _, err := convert.Read(ctx, strings.NewReader(text), convert.CSV, o); !errors.Is(err, cause) {
		t.Errorf("cancelled within the text: error %v, want the cause of the context", err)
	}
}

// Progress counts the bytes of all passes, and ends at the total.
func TestReadProgress(t *testing.T) {
	text := strings.Repeat("1,2,3\n", 1<<16)
	lines := strings.Repeat("[1,2,3]\n", 1<<16)
	for _, tt := range []struct {
		name  string
		f     convert.Format
		text  string
		o     convert.ReadOptions
		total int
	}{
		{"read once", convert.CSV, text, convert.ReadOptions{DType: dtype.Float64}, len(text)},
		{"read twice", convert.CSV, text, convert.ReadOptions{}, 2 * len(text)},
		{"one goroutine", convert.CSV, text, convert.ReadOptions{Workers: 1}, 2 * len(text)},
		{"two goroutines", convert.CSV, text, convert.ReadOptions{Workers: 2}, 2 * len(text)},
		{"kept cells", convert.CSV, "a,b,c\n" + text, convert.ReadOptions{Fields: func([]string) []string { return []string{"b"} }}, 12 + 2*len(text)},
		{"NDJSON", convert.NDJSON, lines, convert.ReadOptions{}, 2 * len(lines)},
		{"JSON", convert.JSON, "[" + strings.Repeat("1,", 1<<17) + "1]", convert.ReadOptions{}, 1<<18 + 3},
	} {
		last, calls := int64(0), 0
		tt.o.Progress = func(done, total int64) {
			if done < last || total != int64(tt.total) {
				t.Fatalf("%s: %d of %d bytes after %d, want up to %d", tt.name, done, total, last, tt.total)
			}
			last, calls = done, calls+1
		}
		if _, _, err := convert.Read(context.Background(), strings.NewReader(tt.text), tt.f, tt.o); err != nil {
			t.Fatal(err)
		}
		if last != int64(tt.total) || calls < 3 {
			t.Errorf("%s: progress ends at %d after %d calls, want %d", tt.name, last, calls, tt.total)
		}
	}
}

// The text of any number of workers is the same.
func TestWriteWorkers(t *testing.T) {
	a, err := npy.New(dtype.Float64, 100_000, 10)
	if err != nil {
		t.Fatal(err)
	}
	want, err := write(convert.CSV, a, convert.WriteOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := write(convert.CSV, a, convert.WriteOptions{Workers: 3}); err != nil || got != want {
		t.Errorf("3 workers write %d bytes, %v, want the %d bytes of one", len(got), err, len(want))
	}
}
