package bounded_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/stats"
)

func TestError(t *testing.T) {
	for want, e := range map[string]*bounded.Error{
		"over MaxNodes 5: limit exceeded":           {Name: "MaxNodes", Limit: 5},
		"9 is over MaxNodes 5: limit exceeded":      {Name: "MaxNodes", Limit: 5, Got: 9},
		"9 nodes are too many here: limit exceeded": {Limit: 5, Got: 9, What: "9 nodes are too many here"},
	} {
		err := fmt.Errorf("a: %w", e)
		var over *npy.LimitError
		if !errors.As(err, &over) || *over != npy.LimitError(*e) || over.Error() != want || !errors.Is(over, npy.ErrLimit) {
			t.Errorf("%q as a LimitError is %v, want %q", e, over, want)
		}
		if e.Error() != want || !errors.Is(err, npy.ErrLimit) || errors.As(err, new(*npy.TypeError)) {
			t.Errorf("%q, want %q", e, want)
		}
	}
}

// In every package the error of a limit is found as a *npy.LimitError, which names the field that sets the limit.
func TestLimitsOfEveryPackage(t *testing.T) {
	ctx := context.Background()
	ints := must(npy.New(dtype.Int64, 3000))
	file := written(t, npy.Encoder{}, ints)
	lists := func() *pickle.List { return &pickle.List{Items: []any{&pickle.List{Items: []any{&pickle.List{}}}}} }
	nested := lists()
	things := must(npy.FromObjects([]any{nested}))
	var dumped bytes.Buffer
	if err := (&pickle.Encoder{}).Encode(&dumped, nested); err != nil {
		t.Fatal(err)
	}
	ofFile := func(name string, open func(r io.ReaderAt, size int64) (container.Container, error)) error {
		data := must(os.ReadFile("../../" + name))
		c, err := open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return err
		}
		for e := range c.Entries() {
			if e.Err != nil {
				return e.Err
			}
			if e.Group {
				continue
			}
			src, err := c.Source(e.Path)
			if err != nil {
				return err
			}
			if _, err = src.ReadAll(ctx); err != nil {
				return err
			}
		}
		return nil
	}
	few := npy.Decoder{MaxBytes: 1}
	for name, x := range map[string]struct {
		limit string // LimitError.Name
		err   error
	}{
		"convert": {"MaxDepth", convert.Write(ctx, io.Discard, convert.JSON, things, convert.WriteOptions{MaxDepth: 1})},
		"diff":    {"MaxDepth", second(diff.Compare(ctx, things, must(npy.FromObjects([]any{lists()})), diff.Options{MaxDepth: 1}))},
		"format":  {"MaxHeader", second(format.Decoder{MaxHeader: 5}.ReadHeader(bytes.NewReader(file)))},
		"hdf5": {"MaxBytes", ofFile("hdf5/testdata/layouts-latest.h5", func(r io.ReaderAt, size int64) (container.Container, error) {
			return hdf5.Decoder{MaxBytes: 1}.NewReader(r, size)
		})},
		"matlab": {"MaxBytes", ofFile("matlab/testdata/numbers.mat", func(r io.ReaderAt, size int64) (container.Container, error) {
			return matlab.Decoder{MaxBytes: 1}.NewReader(r, size)
		})},
		"netcdf": {"MaxBytes", ofFile("netcdf/testdata/cdf1.nc", func(r io.ReaderAt, size int64) (container.Container, error) {
			return netcdf.Decoder{Array: few}.NewReader(r, size)
		})},
		"npy": {"MaxBytes", second(few.Read(bytes.NewReader(file)))},
		"npz": {"MaxBytes", func() error {
			z, err := npz.Decoder{Array: few, Methods: map[npz.Method]npz.Decompressor{99: func(r io.Reader, _ int64) (io.Reader, error) { return r, nil }}}.NewReader(archive(t, file))
			if err != nil {
				return err
			}
			return second(z.Array("a"))
		}()},
		"objects": {"MaxNodes", second(npy.Decoder{Objects: objects.Decoder{Pickle: pickle.Decoder{MaxNodes: 2}}}.Read(bytes.NewReader(written(t, npy.Encoder{Objects: objects.Encoder{}}, things))))},
		"parts":   {"MaxBytes", second(parts.Decoder{MaxBytes: 5}.Decode(strings.NewReader(`{"version": 1}`)))},
		"pickle":  {"MaxDepth", second(pickle.Decoder{MaxDepth: 1}.Decode(&dumped))},
		"query":   {"Max", second(query.Unique{Max: 1}.Of(ctx, must(npy.FromSlice([]int64{1, 2, 3}, 3))))},
		"record":  {"", second(record.ToSlice[struct{}](must(npy.New(must(dtype.Parse("[]")), 1<<21))))},
		"stats":   {"", second(stats.AxisOf(ctx, must(npy.New(dtype.Int64, 1<<27, 0)), 1))},
	} {
		var over *npy.LimitError
		if !errors.As(x.err, &over) || over.Name != x.limit || !errors.Is(x.err, npy.ErrLimit) || !errors.Is(over, npy.ErrLimit) {
			t.Errorf("%s: error %v, want a LimitError of %q", name, x.err, x.limit)
		}
	}
}

// second returns the error of a call that has another result.
func second[T any](_ T, err error) error { return err }
