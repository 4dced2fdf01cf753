// Package plumbing hands functions of package npy to package source, which exports them for those who write a Source. They are made
// of parts that npy does not export. Package npy sets them as it is initialized; the comments give their types.
//
// It also has what tests of npy change, so that they need not be compiled into package npy.
package plumbing

import "io"

var (
	Whole        any // func(t dtype.Type, shape []int, read func(context.Context) (*npy.Array, error)) npy.Source
	FromParts    any // func(h format.Header, read func(context.Context, npy.Selection) (*npy.Array, error)) (npy.Source, error)
	SelectCopy   any // func(src npy.Source, index []npy.Index) (npy.Source, bool, error)
	CutIndex     any // func(shape []int, index []npy.Index) (start, step, count int, single bool, rest, more []npy.Index, err error)
	CheckBytes   any // func(src npy.Source, n int64) error
	IsSequential any // func(src npy.Source) bool
	Pays         any // func(r *npy.Regions, src npy.Source) bool
)

// A File has the methods of a file that an Appender calls.
type File interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	io.Closer
}

// What tests change. They restore it, and run beside no other test.
var (
	AppendTo        = func(f File) File { return f }               // what an Appender writes to, given the file
	CopyTo          = func(f io.WriterAt) io.WriterAt { return f } // what a Copier writes elements to, given the file
	MinMemory int64 = 32 << 20                                     // the smallest Copier.Memory that has an effect
)
