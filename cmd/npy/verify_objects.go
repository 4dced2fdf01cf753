package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/pickle/audit"
)

// A recorder is a counter that keeps the bytes read through it.
type recorder struct {
	*counter
	kept bytes.Buffer
}

// Read implements io.Reader.
func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.counter.Read(p)
	r.kept.Write(p[:n])
	return n, err
}

// Discard is [bufio.Reader.Discard].
func (r *recorder) Discard(n int) (int, error) {
	m, err := io.CopyN(&r.kept, r.counter, int64(n))
	return int(m), err
}

// checkObjects checks the pickle after header h, of an array that begins at base. It reports whether another array
// may follow.
func (v *verifier) checkObjects(r *counter, h format.Header, base int64) bool {
	rec := &recorder{counter: r}
	array, err := v.objects.objects().DecodeObjects(rec, h)
	v.imports(rec.kept.Bytes(), base+h.DataOffset)
	if err != nil {
		v.wrong(base, explain(err))
		return false
	}
	raw, _ := v.objects.pickle().Decode(bytes.NewReader(rec.kept.Bytes())) // cannot fail: it was decoded before
	o, ok := raw.(*pickle.Object)
	if !ok {
		v.wrong(base, &format.Error{Offset: h.DataOffset, Err: fmt.Errorf("the pickle holds no array; NumPy gives what it holds")})
		return true
	}
	v.compare(h, array, base)
	if n := listLen(o); n > array.Size() {
		v.note(base+h.DataOffset, "the pickle has %d elements for shape %s; NumPy ignores those at the end", n, format.ShapeString(array.Shape()))
	}
	return true
}

// compare compares the header with the pickle, which NumPy goes by.
func (v *verifier) compare(h format.Header, a *npy.Array, base int64) {
	differ := func(what string, header, pickled any) {
		v.wrong(base, &format.Error{Path: what, Err: fmt.Errorf("the header says %v and the pickle %v, which is what NumPy gives", header, pickled)})
	}
	if !a.DType().Equal(h.DType) {
		differ("descr", h.DType, a.DType())
	}
	if !slices.Equal(a.Shape(), h.Shape) {
		differ("shape", format.ShapeString(h.Shape), format.ShapeString(a.Shape()))
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
func (v *verifier) imports(data []byte, offset int64) {
	noted := map[string]bool{}
	for _, i := range audit.One(bytes.NewReader(data)).Imports {
		name := i.Module + "." + i.Name
		if i.Verdict == audit.NoCodeKnown || noted[name] {
			continue
		}
		if noted[name] = true; len(noted) > maxNamed {
			v.note(offset, "and more such names; see 'npy pickle'")
			return
		}
		v.note(offset+i.Offset, "reading this with Python %s: %s", verdicts[i.Verdict].text, name)
	}
}
