package appending

import (
	"encoding/binary"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/hdf5/internal/writing"
	"github.com/npygo/npy/internal/nd"
)

// A childKey is a child of a node of a chunk index, with the key before it.
type childKey struct {
	key  []byte
	addr uint64
}

// index writes an index of the old chunks before the first row that is written, and of the new ones. Nodes are not
// changed, except that the neighbours of replaced nodes refer to the new ones. Only the last nodes of each level are
// replaced.
func (j *appendJob) index(sink *writing.ChunkSink) error {
	added := make([]childKey, len(sink.Stored))
	for i, c := range sink.Stored {
		added[i] = childKey{sink.AppendKey(nil, c.Number, c.Size), c.Addr}
	}
	w := &indexWriter{appendJob: j, end: sink.AppendKey(nil, nd.Size(sink.Counts), 0), keySize: 8 + 8*(len(sink.Shape)+1)}
	children, height := added, 0
	if at := j.d.Layout.At; at != storage.Undefined {
		var err error
		if children, height, err = w.replace(at, -1, added); err != nil {
			return err
		}
	}
	for height == 0 || len(children) > 1 {
		var err error
		if children, err = w.write(children, height, storage.Undefined); err != nil {
			return err
		}
		height++
	}
	j.root = children[0].addr
	return nil
}

// An indexWriter writes the nodes that replace the last ones of an index.
type indexWriter struct {
	*appendJob
	keySize int
	end     []byte // the key after the last chunk
}

// replace returns the nodes that take the place of the one at an address, with the chunks that are added, and their
// height: the number of levels below.
func (w *indexWriter) replace(at uint64, level int, added []childKey) ([]childKey, int, error) {
	n, err := w.f.Node1(at, structure.TreeChunk, w.keySize, level)
	if err != nil {
		return nil, 0, err
	}
	left, err := w.readAddress(w.f.Base + int64(at) + 8)
	if err != nil {
		return nil, 0, err
	}
	var kept []childKey
	for i, child := range n.Children {
		key := n.Keys[i*w.keySize : (i+1)*w.keySize]
		if binary.LittleEndian.Uint64(key[8:]) >= uint64(w.first) {
			if n.Level == 0 {
				w.release(child, int64(binary.LittleEndian.Uint32(key)))
			}
			continue
		}
		kept = append(kept, childKey{key, child})
	}
	w.release(at, w.nodeSize())
	if n.Level > 0 {
		if len(kept) > 0 {
			var last []childKey
			if last, _, err = w.replace(kept[len(kept)-1].addr, n.Level-1, added); err != nil {
				return nil, 0, err
			}
			added = last
			kept = kept[:len(kept)-1]
		} else if added, err = w.upTo(n.Level, added); err != nil {
			return nil, 0, err
		}
	}
	nodes, err := w.write(append(kept, added...), n.Level, left)
	return nodes, n.Level + 1, err
}

// release frees a place that this appender has written. Data that others have written may touch the data after it.
func (w *indexWriter) release(at uint64, size int64) {
	if int64(at) >= w.start {
		w.freed = append(w.freed, storage.Span{At: int64(at), Size: storage.AlignedSize(size)})
	}
}

// UpTo writes the nodes below a level.
func (w *indexWriter) upTo(level int, children []childKey) ([]childKey, error) {
	for height := range level {
		var err error
		if children, err = w.write(children, height, storage.Undefined); err != nil {
			return nil, err
		}
	}
	return children, nil
}

func (w *indexWriter) nodeSize() int64 {
	t := structure.TreeBuilder{K: writing.ChunkK, KeySize: w.keySize}
	return t.NodeSize()
}

// write writes the nodes of a level. left is the node before the first.
func (w *indexWriter) write(children []childKey, level int, left uint64) ([]childKey, error) {
	t := &structure.TreeBuilder{Kind: structure.TreeChunk, K: writing.ChunkK, KeySize: w.keySize, N: len(children)}
	t.AppendKey = func(b []byte, i int) []byte {
		if i == len(children) {
			return append(b, w.end...)
		}
		return append(b, children[i].key...)
	}
	l := structure.TreeLevel{TreeBuilder: t, Height: level, N: len(children), Span: 1, Addr: func(i int) uint64 { return children[i].addr }, Left: left}
	first, count, err := l.Write(w.out)
	nodes := make([]childKey, count)
	for i := range nodes {
		nodes[i] = childKey{children[i*2*writing.ChunkK].key, first + uint64(int64(i)*t.NodeSize())}
	}
	if left != storage.Undefined {
		w.patch = append(w.patch, fieldWrite{w.f.Base + int64(left) + 16, binary.LittleEndian.AppendUint64(nil, first)})
	}
	return nodes, err
}
