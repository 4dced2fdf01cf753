// Package announce tells a source of bytes what will be read of it, so that a source that is slow to answer can begin.
package announce

import "io"

// Reads tells r that n bytes from an offset will be read soon, one after another. It does so if r, or what r is a section
// of or a guard around, has a method WillRead(offset, n int64), and reports whether it has.
func Reads(r io.ReaderAt, offset, n int64) bool {
	for n > 0 {
		switch x := r.(type) {
		case interface{ WillRead(offset, n int64) }:
			x.WillRead(offset, n)
			return true
		case interface{ Below() io.ReaderAt }:
			r = x.Below()
		case interface {
			Outer() (r io.ReaderAt, offset, n int64)
		}: // as io.SectionReader has it
			below, at, size := x.Outer()
			r, n, offset = below, min(n, size-offset), offset+at
		default:
			return false
		}
	}
	return false
}
