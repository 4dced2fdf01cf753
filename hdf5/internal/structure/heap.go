package structure

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/diag"
)

// HeapReference is the size of a reference to a string in a global heap: length, address of the collection, index.
const HeapReference = 16

// Collections of a global heap have at least 4,096 bytes. Of an array of many strings they have more.
const (
	minCollection = 4 << 10
	maxCollection = 64 << 10
	maxHeapIndex  = math.MaxUint16
	heapHead      = 16 // bytes before the first object of a collection, and before the data of each
)

// A Heap puts strings into collections of the global heap. The open collection has its place in the file already.
type Heap struct {
	out   *storage.Output
	drain func() error // writes pending data; the bytes of a file must not depend on the number of goroutines
	addr  int64
	buf   []byte // of the open collection, with its head; empty if there is none
	size  int    // of the open collection
	next  int    // the size of the next collection
	index int    // of the last object
}

// NewHeap returns a heap without strings.
func NewHeap(out *storage.Output, drain func() error) *Heap {
	return &Heap{out: out, drain: drain, next: minCollection}
}

// Reference adds a string to the heap, and puts the reference to it into dst. The empty string has its place too: without
// one it would be NULL, and no two strings share a place, because libhdf5 frees it when it writes another string there.
func (h *Heap) Reference(dst, text []byte) error {
	if int64(len(text)) > math.MaxUint32 {
		return diag.Errorf("hdf5", "a string of %d bytes, and the limit of HDF5 is 4 GiB", len(text))
	}
	if err := h.add(text); err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(dst, uint32(len(text)))
	binary.LittleEndian.PutUint64(dst[4:], uint64(h.addr))
	binary.LittleEndian.PutUint32(dst[12:], uint32(h.index))
	return nil
}

// References adds sequences of elements of a size, and puts the references to them into dst. The empty sequence has no place.
func (h *Heap) References(dst []byte, items [][]byte, size int) error {
	for i, item := range items {
		if len(item) == 0 && size > 1 {
			continue
		}
		at := dst[i*HeapReference:]
		if err := h.Reference(at, item); err != nil {
			return err
		}
		binary.LittleEndian.PutUint32(at, uint32(len(item)/size))
	}
	return nil
}

func (h *Heap) add(data []byte) error {
	need := heapHead + int(storage.AlignedSize(int64(len(data))))
	if len(h.buf) == 0 || len(h.buf)+need > h.size || h.index == maxHeapIndex {
		if err := errors.Join(h.Flush(), h.drain()); err != nil {
			return err
		}
		h.size = max(h.next, heapHead+need)
		h.next = min(2*h.next, maxCollection)
		h.addr, h.index = h.out.Reserve(int64(h.size)), 0
		h.buf = append(h.buf[:0], "GCOL\x01\x00\x00\x00"...)
		h.buf = binary.LittleEndian.AppendUint64(h.buf, uint64(h.size))
	}
	h.index++
	h.appendHead(h.index, 1, len(data))
	h.buf = append(h.buf, data...)
	h.buf = append(h.buf, make([]byte, storage.AlignedSize(int64(len(data)))-int64(len(data)))...)
	return nil
}

func (h *Heap) appendHead(index, references, size int) {
	h.buf = binary.LittleEndian.AppendUint16(h.buf, uint16(index))
	h.buf = binary.LittleEndian.AppendUint16(h.buf, uint16(references))
	h.buf = append(h.buf, 0, 0, 0, 0)
	h.buf = binary.LittleEndian.AppendUint64(h.buf, uint64(size))
}

// Flush writes the open collection. Object 0 is its free space.
func (h *Heap) Flush() error {
	if len(h.buf) == 0 {
		return nil
	}
	if free := h.size - len(h.buf); free >= heapHead {
		h.appendHead(0, 0, free)
	}
	h.buf = append(h.buf, make([]byte, h.size-len(h.buf))...)
	err := h.out.WriteAt(h.buf, h.addr)
	h.buf = h.buf[:0]
	return err
}

// Calm makes the next collections small again, after an array.
func (h *Heap) Calm() { h.next = minCollection }
