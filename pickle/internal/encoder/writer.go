package encoder

import (
	"io"
	"math/big"

	"github.com/npygo/npy/pickle/internal/opcode"
)

// A Writer writes the opcodes of one pickle. It numbers the values that it memoises, and finds them again by their keys.
type Writer struct {
	frames
	protocol int
	memo     memo

	large     map[*big.Int]bool // large ints that were written
	again     int64             // the bytes of ints written again
	maxShared int64
}

// New returns a Writer for a protocol that appends to buf or, if w is not nil, writes to w in pieces of 64 KiB or more.
// Large ints may be written again in maxShared bytes.
func New(buf []byte, w io.Writer, protocol int, maxShared int64) Writer {
	return Writer{frames: frames{buf: buf, w: w, text: protocol == 0}, protocol: protocol, large: make(map[*big.Int]bool), maxShared: maxShared}
}

// Start writes the protocol.
func (w *Writer) Start() {
	if w.protocol >= 2 {
		w.Ops(opcode.Proto, byte(w.protocol))
	}
	w.startFraming(w.protocol >= 4)
}

// Finish writes STOP and returns the pickle, or the part that was not written to the io.Writer.
func (w *Writer) Finish() ([]byte, error) {
	w.Ops(opcode.Stop)
	err := w.finish()
	return w.buf, err
}

// Refer writes a reference to a memoised value, and reports whether it did.
func (w *Writer) Refer(key Key) bool {
	n, ok := w.Find(key)
	if ok {
		w.Get(n)
	}
	return ok
}

// Find returns the number under which a value is memoised.
func (w *Writer) Find(key Key) (number uint32, ok bool) { return w.memo.find(key) }

// Memoize writes that the value on top of Python's stack goes into the memo, and enters it here under the same number.
// With the zero key, nothing will refer to it.
func (w *Writer) Memoize(key Key) { w.put(w.memo.add(key), w.protocol) }

// Number returns the number of the next value that is memoised.
func (w *Writer) Number() uint32 { return w.memo.count }

// Get writes a reference to a number of the memo.
func (w *Writer) Get(n uint32) { w.numbered(opcode.BinGet, opcode.LongBinGet, n) }

// GetAs is Get, and makes a key find the number from now on.
func (w *Writer) GetAs(key Key, n uint32) {
	w.memo.set(key, n)
	w.Get(n)
}

// Expect makes capacity for the keys of a list of strings.
func (w *Writer) Expect(items []any) { w.memo.expect(items) }

// Drop writes the opcodes that drop the mark and the items of a tuple that one of its items has memoised.
func (w *Writer) Drop(items int) {
	if w.protocol == 1 || w.protocol >= 2 && items > 3 {
		w.Ops(opcode.PopMark)
		return
	}
	if w.protocol == 0 {
		items++ // the mark
	}
	for range items {
		w.Ops(opcode.Pop)
	}
}

// Empty writes a list, dict or tuple without items.
func (w *Writer) Empty(op, oldOp byte) {
	if w.protocol == 0 {
		w.Ops(opcode.Mark, oldOp)
	} else {
		w.Ops(op)
	}
}

// Lines writes an opcode and its argument, lines of text.
func (w *Writer) Lines(op byte, lines ...string) {
	w.Ops(op)
	for _, line := range lines {
		w.buf = append(append(w.buf, line...), '\n')
	}
}
