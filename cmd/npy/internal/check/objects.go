package check

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy/cmd/npy/internal/counted"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/results"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/pickle/audit"
)

// checkObjects checks the pickle after header h, of an array that begins at base. It reports whether another array
// may follow.
func (v *Verifier) checkObjects(r *counted.Reader, h format.Header, base int64) bool {
	rec := &counted.Recorder{Reader: r}
	stored, err := v.pickled(rec, h)
	v.imports(rec.Kept.Bytes(), base+h.DataOffset)
	if err != nil {
		v.wrong(base, diagnose.Explain(err))
		return false
	}
	again := v.Objects.Pickle()
	again.SizeHint = min(stored.Size(), rec.Kept.Len())
	raw, _ := again.Decode(bytes.NewReader(rec.Kept.Bytes())) // cannot fail: it was decoded before
	o, ok := raw.(*pickle.Object)
	if !ok {
		v.wrong(base, &format.Error{Offset: h.DataOffset, Err: fmt.Errorf("the pickle is not an array; NumPy returns the object that it holds")})
		return true
	}
	v.compare(h, stored, base)
	if n := listLen(o); n > stored.Size() {
		v.note(base+h.DataOffset, "the pickle has %d elements for shape %s; NumPy ignores the last ones", n, format.ShapeString(stored.Shape))
	}
	return true
}

// pickled returns the dtype and the shape of the array in the pickle after header h. The array is not kept.
func (v *Verifier) pickled(r io.Reader, h format.Header) (format.Header, error) {
	a, err := v.Objects.Objects().DecodeObjects(r, h)
	if err != nil {
		return format.Header{}, err
	}
	return format.Header{DType: a.DType(), Shape: a.Shape()}, nil
}

// compare compares the header with the pickle, which NumPy goes by.
func (v *Verifier) compare(h, a format.Header, base int64) {
	differ := func(what string, header, pickled any) {
		v.wrong(base, &format.Error{Path: what, Err: fmt.Errorf("the header says %v and the pickle %v; NumPy goes by the pickle", header, pickled)})
	}
	if !a.DType.Equal(h.DType) {
		differ("descr", h.DType, a.DType)
	}
	if !slices.Equal(a.Shape, h.Shape) {
		differ("shape", format.ShapeString(h.Shape), format.ShapeString(a.Shape))
	}
}

// listLen returns the length of the list of elements in the state of an array.
func listLen(o *pickle.Object) int {
	state, ok := o.State.(*pickle.Tuple)
	if !ok || len(state.Items) == 0 {
		return 0
	}
	list, ok := state.Items[len(state.Items)-1].(*pickle.List)
	if !ok {
		return 0
	}
	return len(list.Items)
}

// imports records the findings of a pickle's audit. Broken pickles are left out: they are an error elsewhere.
func (v *Verifier) imports(data []byte, offset int64) {
	noted := map[string]bool{}
	for _, i := range audit.One(bytes.NewReader(data)).Imports {
		name := i.Module + "." + i.Name
		if i.Verdict == audit.NoCodeKnown || noted[name] {
			continue
		}
		if noted[name] = true; len(noted) > results.MaxNamed {
			v.note(offset, "and more such names; see 'npy pickle'")
			return
		}
		v.note(offset+i.Offset, "reading this with Python %s: %s", results.Verdicts[i.Verdict].Text, name)
	}
}
