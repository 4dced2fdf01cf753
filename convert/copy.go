package convert

import (
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// Copy writes a[index...] of a file to w, the text that [Write] would write of the array, reading it piece by piece: memory
// does not grow with the file. Arrays of Python objects are [npy.ErrObjects]: they have to be read whole.
func Copy(w io.Writer, f Format, src *npy.File, o WriteOptions, index ...npy.Index) error {
	return Standard().Copy(w, f, src, o, index...)
}

// Copy is [Copy] for these formats.
func (s Formats) Copy(w io.Writer, f Format, src *npy.File, o WriteOptions, index ...npy.Index) error {
	h := src.Header()
	if _, err := s.writer(f); err != nil {
		return err
	}
	p, err := npy.PartOf(h, index...)
	if err != nil {
		return err
	}
	c := Content{dtype: p.DType(), shape: p.Shape()}
	if o.DType.IsValid() {
		c.dtype = o.DType
	}
	total := int64(c.size()) * int64(p.DType().ItemSize())
	if total == 0 || c.dtype.ItemSize() == 0 || c.dtype.HasObject() { // nothing to read: only a shape to be written
		a, err := src.Slice(index...)
		if err != nil {
			return err
		}
		return s.Write(w, f, a, o)
	}
	c.blocks = func(do func(block []byte, n int) error) error {
		done := int64(0)
		for a, err := range src.Blocks(o.Memory, index...) {
			if err != nil {
				return err
			}
			done += int64(a.NBytes())
			if a, err = as(a, c.dtype); err != nil {
				return err
			}
			if err := eachBlock(a, do); err != nil {
				return err
			}
			if o.Progress != nil {
				o.Progress(done, total)
			}
		}
		return nil
	}
	return s.write(w, f, c, o)
}

// as returns a with the dtype t.
func as(a *npy.Array, t dtype.Type) (*npy.Array, error) {
	if t.Equal(a.DType()) {
		return a, nil
	}
	return a.AsType(t)
}

// CopyFile is [Copy] to a file, which is replaced as by [WriteFile].
func CopyFile(path string, f Format, src *npy.File, o WriteOptions, index ...npy.Index) error {
	return Standard().CopyFile(path, f, src, o, index...)
}

// CopyFile is [CopyFile] for these formats.
func (s Formats) CopyFile(path string, f Format, src *npy.File, o WriteOptions, index ...npy.Index) error {
	if _, err := s.writer(f); err != nil {
		return err
	}
	return writeFile(path, o.Sync, func(w io.Writer) error { return s.Copy(w, f, src, o, index...) })
}
