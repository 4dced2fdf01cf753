package input

import (
	"io"

	"github.com/npygo/npy/format"
)

// next returns the array that follows an array in its file, as after several calls of np.save with one open file. Of
// a stream it reads the rest of the array. It finds no array after Python objects in a file, whose length is not known.
func (o Opener) next(t Target) (Target, bool) {
	head := make([]byte, len(format.Magic))
	f := *t.file
	switch {
	case f.joined != nil, f.regular == nil && o.Headers:
		return t, false
	case f.regular == nil:
		if f.rest != nil {
			if _, err := io.Copy(io.Discard, f.rest); err != nil {
				return t, false
			}
			f.rest = nil
		}
		head, f.reader = Peek(f.reader, len(format.Magic))
	default:
		a := o.inFile(t)
		if a == nil {
			return t, false
		}
		h := a.Header()
		f.base += h.DataOffset + h.NBytes()
		if _, err := f.regular.ReadAt(head, f.base); err != nil && err != io.EOF {
			return t, false
		}
	}
	if string(head) != format.Magic {
		return t, false
	}
	t.file = &f
	t.Nth = max(t.Nth, 1) + 1
	return t, true
}
