package convert

import (
	"fmt"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

func jsonConverter() Converter {
	return Converter{
		Format: JSON, Endings: []string{".json"},
		Kept:  "all values, any number of dimensions, records with the names of their fields, nested ones too",
		Lost:  []Loss{dtypeLoss(jsonDType), emptyShapeLoss(), detailLoss()},
		Write: textWriter(writeJSON),
		Read:  readWhole(readJSON),
	}
}

func ndjsonConverter() Converter {
	c := jsonConverter()
	c.Format, c.Endings = NDJSON, []string{".ndjson", ".jsonl"}
	c.Lost = append(c.Lost, Loss{"that there is no axis", func(_ dtype.Type, shape []int) bool { return len(shape) == 0 }})
	c.Write, c.Read = textWriter(writeNDJSON), readNDJSON
	return c
}

// writeJSON writes nested lists, with one line for each list of values and for each record.
func writeJSON(out *output, a content, o WriteOptions) error {
	if err := writeLists(out, a, newObjectWriter(o), 0, len(a.shape)); err != nil {
		return err
	}
	out.buf = append(out.buf, '\n')
	return nil
}

// writeNDJSON writes one line for each element along the first axis.
func writeNDJSON(out *output, a content, o WriteOptions) error {
	if len(a.shape) == 0 {
		a.shape = []int{1}
	}
	return writeLists(out, a, newObjectWriter(o), 1, 0)
}

// writeLists writes a as lists, starting at axis first. It breaks lines between the items of the outermost breaks axes.
func writeLists(out *output, a content, w *objectWriter, first, breaks int) error {
	f, err := formatsOf(a, w.texts, w.json)
	if err != nil {
		return err
	}
	format, err := f.json(a.dtype)
	if err != nil {
		return err
	}
	if breaks--; a.dtype.IsStruct() && breaks >= 0 {
		breaks++
	}
	lists := elem.NewLists(format, a.shape, first, breaks)
	if a.size() == 0 {
		out.buf = lists.AppendEmpty(out.buf) // checkVolume has counted these lists
		return nil
	}
	return eachItem(a, func(item []byte) (err error) {
		if out.buf, err = lists.Append(out.buf, item); err != nil {
			return err
		}
		return out.pass()
	})
}

// json returns the function that writes an element of any dtype.
func (f *formats) json(t dtype.Type) (elem.FormatFunc, error) {
	format, err := elem.JSONFormat(t, func(t dtype.Type) (elem.FormatFunc, error) {
		f.next++
		return f.at(t, f.next-1)
	})
	if err != nil {
		return nil, fmt.Errorf("convert: %w", err)
	}
	return format, nil
}
