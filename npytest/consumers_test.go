package npytest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/stats"
)

// A consumer reads a Source and returns its result as text.
type consumer func(ctx context.Context, src npy.Source) (string, error)

func text(x any, err error) (string, error) { return fmt.Sprint(x), err }

// consumers returns every function of this module that takes a Source.
func consumers() map[string]consumer {
	all := map[string]consumer{
		"ReadAll": func(ctx context.Context, src npy.Source) (string, error) {
			a, err := src.ReadAll(ctx)
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("%v %v %x", a.DType(), a.Shape(), a.Bytes()), nil
		},
		"Printer": func(ctx context.Context, src npy.Source) (string, error) {
			var out bytes.Buffer
			err := npy.Printer{}.Print(&out, src)
			return out.String(), err
		},
		"Copier":           copied(npy.Copier{Order: npy.COrder}),
		"Copier, Fortran":  copied(npy.Copier{Order: npy.FortranOrder}),
		"Copier, memory":   copied(npy.Copier{Order: npy.FortranOrder, Memory: 1}),
		"stats.Of":         func(ctx context.Context, src npy.Source) (string, error) { return text(stats.Of(ctx, src)) },
		"stats.AxisOf":     func(ctx context.Context, src npy.Source) (string, error) { return text(stats.AxisOf(ctx, src, 0)) },
		"stats.AxisOf, -1": func(ctx context.Context, src npy.Source) (string, error) { return text(stats.AxisOf(ctx, src, -1)) },
		"stats.QuantilesOf": func(ctx context.Context, src npy.Source) (string, error) {
			return text(stats.QuantilesOf(ctx, src, 0, 0.1, 0.5, 1))
		},
		"stats.HistogramOf": func(ctx context.Context, src npy.Source) (string, error) { return text(stats.HistogramOf(ctx, src, 7)) },
		"query.Unique": func(ctx context.Context, src npy.Source) (string, error) {
			values, err := query.Unique{}.Of(ctx, src)
			return fmt.Sprint(values), err
		},
		"query.Unique, rows": func(ctx context.Context, src npy.Source) (string, error) {
			rows, err := query.Unique{}.Filter(ctx, src)
			if err != nil {
				return "", err
			}
			a, err := rows.ReadAll(ctx)
			return fmt.Sprint(a), err
		},
		"query.Group": func(ctx context.Context, src npy.Source) (string, error) {
			groups, err := query.Group{Aggs: []query.Agg{{Func: "count"}}}.Of(ctx, src)
			return fmt.Sprint(groups), err
		},
		"diff.Compare": func(ctx context.Context, src npy.Source) (string, error) {
			zeros := must(npy.New(src.DType(), src.Shape()...))
			r, err := diff.Compare(ctx, src, zeros, diff.Options{})
			if err != nil {
				return "", err
			}
			b, err := json.Marshal(r.Fields)
			return string(b), err
		},
	}
	for _, c := range convert.Standard() {
		all["convert.Write, "+string(c.Format)] = func(ctx context.Context, src npy.Source) (string, error) {
			var out bytes.Buffer
			err := convert.Write(ctx, &out, c.Format, src, convert.WriteOptions{})
			return out.String(), err
		}
	}
	return all
}

func copied(c npy.Copier) consumer {
	return func(ctx context.Context, src npy.Source) (string, error) {
		var out bytes.Buffer
		err := c.Write(ctx, &out, src)
		return out.String(), err
	}
}

// consumed returns the bytes of .npy files that all consumers read. Values are whole numbers, so that sums do not depend
// on the order.
func consumed(t *testing.T) map[string][]byte {
	t.Helper()
	floats := make([]float32, 640*520)
	for i := range floats {
		floats[i] = float32(i%4096*7919%4096) - 2048
	}
	large := must(must(npy.FromSlice(floats)).Reshape(640, 520)) // over one megabyte, the size of a piece
	small := must(must(large.Slice(npy.SpanTo(6), npy.SpanTo(9))).Cast(must(dtype.Parse(">i4")), npy.UnsafeCasting))
	images := must(must(npy.FromSlice([]uint8{0, 1, 2, 253, 254, 255})).Reshape(2, 3))
	record := must(dtype.Parse("[('n', '<i2'), ('x', '>f8', (2, 3)), ('s', '<U3'), ('t', '<M8[s]'), ('in', [('b', '?'), ('c', '<c8')])]"))
	raw := make([]byte, 50*record.ItemSize())
	for i := range raw {
		raw[i] = byte(i % 3 * (i % 5) & 1)
	}
	files := map[string][]byte{}
	for name, a := range map[string]*npy.Array{
		"large": large, "large, Fortran": large.Fortran(), "small": small, "small, Fortran": small.Fortran(), "image": images,
		"records": must(npy.FromBytes(record, raw, 10, 5)), "records, Fortran": must(npy.FromBytes(record, raw, 10, 5)).Fortran(),
		"none": must(npy.New(dtype.Float64, 0, 3)), "one": must(npy.New(dtype.Int64)),
	} {
		var file bytes.Buffer
		if err := npy.Write(&file, a); err != nil {
			t.Fatal(err)
		}
		files[name] = file.Bytes()
	}
	return files
}

// Every consumer gives the same result, or the same error, for an array in memory and for every other Source.
func TestConsumers(t *testing.T) {
	for name, data := range consumed(t) {
		if testing.Short() && len(data) > 1<<20 {
			continue
		}
		for what, consume := range consumers() {
			want, wantErr := consume(t.Context(), providers["array"].open(t, data))
			for kind, p := range providers {
				got, err := consume(t.Context(), p.open(t, data))
				if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("%s of %s from %s: %.200q, error %v, want %.200q, error %v", what, name, kind, got, err, want, wantErr)
				}
			}
		}
	}
}
