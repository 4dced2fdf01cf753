package writing

import (
	"encoding/binary"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/diag"
)

// contents are the members of a file, with the output that they are written to.
type contents struct {
	settings Settings
	out      *storage.Output
	heap     *structure.Heap
	chunks   *chunkPipeline
	root     *member
	err      error // final
}

func newContents(s Settings, out *storage.Output) *contents {
	c := &contents{settings: s, out: out, chunks: NewChunkPipeline(s.Workers), root: newGroup()}
	c.heap = structure.NewHeap(out, c.drain)
	return c
}

// writeObject writes a group, or the number of links to an array, whose header is written.
func (w *contents) writeObject(n *member) error {
	switch {
	case n.group:
		return w.writeGroup(n)
	case n.links > 0:
		return w.out.WriteAt(binary.LittleEndian.AppendUint32(nil, uint32(1+n.links)), int64(n.addr)+4)
	}
	return nil
}

// writeGroup writes a group, after the groups within.
func (w *contents) writeGroup(n *member) error {
	names := n.names()
	if !n.asMessages(names) {
		if err := n.writeSymbolTable(w.out, names); err != nil {
			return err
		}
	}
	w.resolve(n.path, n.header.Buf, n.header.Refs)
	data, err := n.groupHeader(names)
	if err != nil {
		return err
	}
	n.header = structure.HeaderBuilder{}
	if n.addr == 0 {
		n.addr = uint64(w.out.Reserve(int64(len(data))))
	}
	return w.out.WritePadded(data, int64(n.addr))
}

// resolve puts the addresses of objects into references. The reference to an object that is not in the file is null.
func (w *contents) resolve(from string, data []byte, refs []structure.PendingRef) {
	missing := ""
	for _, r := range refs {
		n, err := w.root, error(nil)
		if target := strings.Trim(r.Target, "/"); target != "" {
			n, err = w.root.find(target)
		}
		if err != nil || n == nil || n.isLink() {
			missing = r.Target
			continue
		}
		binary.LittleEndian.PutUint64(data[r.At:], n.addr)
	}
	if missing != "" {
		w.lose(container.Loss{Path: from, What: "the references to what is not in the file", Detail: missing})
	}
}

// lose reports losses.
func (w *contents) lose(lost ...container.Loss) {
	container.WriteOptions{Lost: w.settings.Lost}.Lose(lost...)
}

// ErrWriterClosed is the error for any use of an array or an appender after Close.
var ErrWriterClosed = diag.Errorf("hdf5", "the file %w", closable.ErrClosed)

// drain writes all chunks that have come.
func (w *contents) drain() error { return w.fail(w.chunks.Drain()) }

// fail makes an error final.
func (w *contents) fail(err error) error {
	if err != nil && w.err == nil {
		w.err = err
	}
	return err
}

func entryError(path string, err error) error {
	if err == nil {
		return nil
	}
	return diag.At("hdf5", path, err)
}
