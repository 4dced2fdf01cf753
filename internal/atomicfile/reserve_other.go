//go:build !linux

package atomicfile

// Reserve does nothing here.
func (f *File) Reserve(int64) error { return nil }
