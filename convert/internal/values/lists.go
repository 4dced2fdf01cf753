package values

import (
	"context"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/output"
	"github.com/npygo/npy/internal/elem"
)

// WriteJSON writes nested lists, with one line for each list of values and for each record.
func WriteJSON(ctx context.Context, w io.Writer, src npy.Source, o options.Write) error {
	return output.WriteText(ctx, w, src, o, jsonLists)
}

func jsonLists(out *output.Output, a output.Content, o options.Write) error {
	if err := writeLists(out, a, NewObjects(a.Context(), o), 0, len(a.Shape), o.NaN == options.NaNNull); err != nil {
		return err
	}
	out.Buf = append(out.Buf, '\n')
	return nil
}

// WriteNDJSON writes one line for each element along the first axis.
func WriteNDJSON(ctx context.Context, w io.Writer, src npy.Source, o options.Write) error {
	return output.WriteText(ctx, w, src, o, jsonLines)
}

func jsonLines(out *output.Output, a output.Content, o options.Write) error {
	if len(a.Shape) == 0 {
		a.Shape = []int{1}
	}
	return writeLists(out, a, NewObjects(a.Context(), o), 1, 0, o.NaN != options.NaNWord)
}

// writeLists writes a as lists, starting at axis first. It breaks lines between the items of the outermost breaks axes. With
// nulls, NaN and NaT are null.
func writeLists(out *output.Output, a output.Content, w *Objects, first, breaks int, nulls bool) error {
	f, err := FormatsOf(a, w.Texts, w.json)
	if err != nil {
		return err
	}
	format, err := f.json(a.DType, nulls)
	if err != nil {
		return err
	}
	if breaks--; a.DType.IsStruct() && breaks >= 0 {
		breaks++
	}
	lists := elem.NewLists(format, a.Shape, first, breaks)
	if a.Size() == 0 {
		out.Buf = lists.AppendEmpty(out.Buf) // checkVolume has counted these lists
		return nil
	}
	return output.EachItem(a, func(item []byte) (err error) {
		if out.Buf, err = lists.Append(out.Buf, item); err != nil {
			return err
		}
		return out.Pass()
	})
}
