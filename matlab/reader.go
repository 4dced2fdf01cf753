package matlab

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/diag"
)

// A Decoder opens MAT-files with limits of the caller's choice. [Open] and [NewReader] use the zero Decoder, which is
// safe for untrusted files.
type Decoder struct {
	// MaxBytes limits the bytes of an array that are read at a time. 0 and negative numbers mean no limit. Memory is
	// only allocated for data that the file can hold.
	MaxBytes int64

	// MaxEntries limits the number of arrays and groups. 0 means [DefaultMaxEntries], and in a file of less than 8 MB at most
	// 65,536 and one for every 8 bytes of the file, because compressed cells without elements need no bytes worth mentioning.
	// A negative number means no limit.
	MaxEntries int

	// MaxDepth limits how deep structs and cells are nested. 0 means [DefaultMaxDepth].
	MaxDepth int

	// HDF5 has the other limits for files of version 7.3, which are HDF5.
	HDF5 hdf5.Decoder
}

// The default limits of a [Decoder].
const (
	DefaultMaxEntries = 1 << 20
	DefaultMaxDepth   = 100
)

// Without a limit of the caller's choice a file of any size may have freeEntries entries. Each other entry needs
// bytesPerEntry bytes of the file, as the shortest cell does that is not compressed.
const (
	freeEntries   = 1 << 16
	bytesPerEntry = 8
)

// maxEntries returns the limit for a file of a size.
func (d Decoder) maxEntries(size int64) int {
	switch {
	case d.MaxEntries == 0:
		return int(min(DefaultMaxEntries, freeEntries+size/bytesPerEntry))
	case d.MaxEntries < 0:
		return int(^uint(0) >> 1)
	}
	return d.MaxEntries
}

func (d Decoder) maxDepth() int {
	if d.MaxDepth <= 0 {
		return DefaultMaxDepth
	}
	return d.MaxDepth
}

// A Reader is an open MAT-file. It may be used by several goroutines.
type Reader struct {
	dec     Decoder
	r       *closable.ReaderAt
	size    int64
	version string
	order   binary.ByteOrder
	vars    []*variable
	names   map[string]*variable
	entries limit
	idle    cursors
}

// A limit counts the entries of a file.
type limit struct {
	mu   sync.Mutex
	left int
	most int
}

func (l *limit) take(n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n > l.left {
		return diag.Wrap("matlab", bounded.Over("MaxEntries", l.most, 0, "more than MaxEntries %d arrays and groups", l.most))
	}
	l.left -= n
	return nil
}

// takePath is take for an entry whose path needs memory: one for every 64 bytes of it.
func (l *limit) takePath(path string) error { return l.take(1 + len(path)/64) }

// A variable is a top-level element.
type variable struct {
	name  string
	zlib  *inflated // its contents if it is compressed, or nil
	at    int64     // of its tag in the file, if it is compressed
	top   *node     // nil if it has no entry
	once  sync.Once
	more  func() ([]*node, error) // the members, in order; nil if there are none
	all   []*node
	index map[string]*node
}

// A node is an array or a group.
type node struct {
	container.Entry
	source func() (npy.Source, error)
}

// expand returns a variable and its members.
func (m *Reader) expand(v *variable) []*node {
	v.once.Do(func() {
		if v.top != nil {
			v.all = []*node{v.top}
		}
		if v.more != nil {
			nodes, err := v.more()
			if v.all = append(v.all, nodes...); err != nil {
				top := *v.top
				top.Err = err
				v.all[0] = &top
			}
		}
		v.index = map[string]*node{}
		for _, n := range slices.Backward(v.all) {
			v.index[n.Path] = n // the first of several with one path
		}
	})
	return v.all
}
