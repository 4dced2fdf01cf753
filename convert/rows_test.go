package convert_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// Rows gives the first rows of a table, and reads little more of it.
func TestRows(t *testing.T) {
	ctx := context.Background()
	var text strings.Builder
	const all = 40_000 // many blocks
	for i := range all {
		fmt.Fprintf(&text, "%d,%d.5,\"a\n%d\"\n", i, i, i)
	}
	for _, head := range []string{"", "x,y,z\n"} {
		for _, types := range []dtype.Type{{}, must(dtype.Parse("i8, f8, U8"))} {
			whole, _, err := convert.Read(ctx, strings.NewReader(head+text.String()), convert.CSV, convert.ReadOptions{DType: types})
			if err != nil && head == "" {
				t.Fatal(err)
			} else if err != nil { // the dtype has other names
				continue
			}
			for _, rows := range []int{1, 2, 999, 5000, all - 1, all, all + 1} {
				for _, pipe := range []bool{false, true} {
					counted := &countedReader{Reader: strings.NewReader(head + text.String())}
					var r io.Reader = counted
					if pipe {
						r = struct{ io.Reader }{counted}
					}
					a, report, err := convert.Read(ctx, r, convert.CSV, convert.ReadOptions{DType: types, Rows: rows})
					if err != nil {
						t.Fatalf("%d rows: %v", rows, err)
					}
					n := min(rows, all)
					part := must(whole.Slice(npy.SpanTo(n)))
					if !slices.Equal(a.Shape(), []int{n}) || !slices.Equal(report.Shape, a.Shape()) {
						t.Fatalf("%d rows: shape %v, report %v", rows, a.Shape(), report.Shape)
					}
					if !types.IsValid() {
						part = must(part.AsType(a.DType()))
					}
					if string(a.Bytes()) != string(part.Bytes()) {
						t.Errorf("%d rows, pipe %v, dtype %v: other elements", rows, pipe, types)
					}
					if most := rows*30 + 1<<18; counted.bytes > 2*most {
						t.Errorf("%d rows: %d bytes are read", rows, counted.bytes)
					}
				}
			}
		}
	}
}

// A countedReader counts the bytes that are read.
type countedReader struct {
	*strings.Reader
	bytes int
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.bytes += n
	return n, err
}
