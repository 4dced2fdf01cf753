package accumulate

import (
	"context"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/source"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/tally"
)

// Of summarises an array, wherever it is stored.
func Of(ctx context.Context, src npy.Source) ([]tally.Summary, error) {
	if src.DType().HasObject() {
		return ofObjects(ctx, src)
	}
	acc, err := New(src.DType())
	if err != nil {
		return nil, err
	}
	acc.AddEmpty(int64(format.Header{DType: src.DType(), Shape: src.Shape()}.Size()))
	acc.shape, acc.known = src.Shape(), true
	src, reversed := npy.StoredOrder(src)
	if reversed {
		acc.order = &tally.Order{Shape: acc.shape}
	}
	if err := acc.addAll(ctx, src); err != nil {
		return nil, err
	}
	return acc.Result()
}

// addAll adds the elements of src.
func (acc *Accumulator) addAll(ctx context.Context, src npy.Source) error {
	runs, err := source.Runs(ctx, src, source.RunOptions{Unit: BlockElements(acc.t), Memory: feed.Memory})
	if err != nil {
		return err
	}
	data, ok := npy.DataOf(src)
	switch {
	case runs != nil:
		return feed.Runs(runs, acc.Add, acc.addCopies)
	case ok:
		return acc.AddAt(ctx, data, 0, data.Size())
	case src.DType().ItemSize() > 0:
		return feed.Blocks(ctx, src, feed.Memory, acc.Add)
	}
	return nil
}

// ofObjects summarises an array of StringDType and rejects other objects.
func ofObjects(ctx context.Context, src npy.Source) ([]tally.Summary, error) {
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	if objects.StringTypeOf(a) == nil {
		_, err := New(a.DType())
		return nil, err
	}
	s, err := ofStrings(a)
	return []tally.Summary{s}, err
}

// ofStrings summarises an array of StringDType. Its elements are str or the missing value of the dtype.
func ofStrings(a *npy.Array) (tally.Summary, error) {
	s := tally.Summary{DType: a.DType(), Count: int64(a.Size())}
	values, err := a.Objects()
	if err != nil {
		return s, err
	}
	some := false
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			s.Missing++
			continue
		}
		n := utf8.RuneCountInString(text)
		if n == 0 {
			s.Empty++
		}
		if !some || n < s.MinLen {
			s.MinLen = n
		}
		s.MaxLen, some = max(s.MaxLen, n), true
	}
	return s, nil
}
