// Package announce tells a source of bytes which ranges will be read, so that a slow source can begin.
package announce

import "io"

// Reads tells r that n bytes from an offset will be read soon, one after another. It does so if r, or the source that r
// is a section of or a guard around, has a method WillRead(offset, n int64), and reports whether it has.
func Reads(r io.ReaderAt, offset, n int64) bool {
	for ok := true; ok && n > 0; r, offset, n, ok = Below(r, offset, n) {
		if x, slow := r.(interface{ WillRead(offset, n int64) }); slow {
			x.WillRead(offset, n)
			return true
		}
	}
	return false
}

// Below returns the source that r is a section of or a guard around, and where n bytes from an offset of r are in it,
// as far as they are within the section. It reports false for every other r.
func Below(r io.ReaderAt, offset, n int64) (below io.ReaderAt, at, size int64, ok bool) {
	switch x := r.(type) {
	case interface{ Below() io.ReaderAt }:
		return x.Below(), offset, n, true
	case interface {
		Outer() (r io.ReaderAt, offset, n int64)
	}: // as io.SectionReader has it
		below, start, length := x.Outer()
		return below, start + offset, min(n, length-offset), true
	}
	return nil, 0, 0, false
}
