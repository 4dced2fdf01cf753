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
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle/audit"
)

// checkObjects checks the pickle after header h, of an array that begins at base. It reports whether another array
// may follow.
func (v *Verifier) checkObjects(r *counted.Reader, h format.Header, base int64) bool {
	rec := &counted.Recorder{Reader: r}
	stored, listed, isArray, err := v.pickled(rec, h)
	v.imports(rec.Kept.Bytes(), base+h.DataOffset)
	if err != nil {
		v.wrong(base, diagnose.Explain(err))
		return false
	}
	if !isArray {
		v.wrong(base, &format.Error{Offset: h.DataOffset, Err: fmt.Errorf("the pickle is not an array; NumPy returns the object that it holds")})
		return true
	}
	v.compare(h, stored, base)
	if listed > stored.Size() {
		v.note(base+h.DataOffset, "the pickle has %d elements for shape %s; NumPy ignores the last ones", listed, format.ShapeString(stored.Shape))
	}
	return true
}

// pickled returns the dtype and the shape of the array in the pickle after header h, how many elements are listed, and whether it
// is an array. The array is not kept.
func (v *Verifier) pickled(r io.Reader, h format.Header) (stored format.Header, listed int, isArray bool, err error) {
	a, err := v.target.Packed(v.Objects.Objects()).DecodeObjects(r, h)
	if err != nil {
		return stored, 0, false, err
	}
	listed, isArray = objects.Listed(a)
	return format.Header{DType: a.DType(), Shape: a.Shape()}, listed, isArray, nil
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

// imports records the findings of a pickle's audit. Broken pickles are left out: they are an error elsewhere.
func (v *Verifier) imports(data []byte, offset int64) {
	noted := map[string]bool{}
	for _, i := range v.target.Auditor(v.Objects.Limits).One(bytes.NewReader(data)).Imports {
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
