package output

import (
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/internal/elem"
)

// Elements become text on all processors: a round of elements is cut into pieces, which are written to w in order. The
// text before and after an element must depend only on the number of the element, so that no piece needs the previous
// one.

const (
	roundPieces = 64      // per round, enough to keep processors busy to its end
	pieceItems  = 1 << 10 // maximum elements per piece
	pieceBytes  = 1 << 13 // maximum bytes per piece, unless one element is larger
	itemCost    = 1 << 7  // the cost of an element, as the number of bytes moved in the same time

	// A round is held in memory as text, which has up to 25 bytes for each byte of its elements: numpy.savetxt writes 1 so.
	roundValues = 1 << 18 // maximum values per round, unless one element has more
	roundBytes  = 1 << 22 // maximum bytes of elements per round, unless one element is larger
)

// A textFunc appends the text of element at in C order.
type textFunc func(dst, item []byte, at int) ([]byte, error)

// A piece is the text of a few elements.
type piece struct {
	text []byte
	err  error
}

// WriteItems writes every element in C order. Errors of text get the index of the element.
func WriteItems(out *Output, c Content, text textFunc) error {
	if c.DType.HasObject() { // the functions for objects must be called in order
		at := 0
		return EachItem(c, func(item []byte) (err error) {
			if out.Buf, err = text(out.Buf, item, at); err != nil {
				return err
			}
			at++
			return out.Pass()
		})
	}
	w := &itemsWriter{out: out, c: c, text: text, size: c.DType.ItemSize()}
	w.unit = min(max(pieceBytes/max(w.size, 1), 1), pieceItems)
	most := min(w.unit*roundPieces, max(min(roundValues/elem.Volume(c.DType, nil), roundBytes/max(w.size, 1)), 1))
	return c.Blocks(func(block []byte, n int) error {
		for n > 0 {
			k := min(n, most)
			if err := w.round(block[:k*w.size], k); err != nil {
				return err
			}
			block, n = block[k*w.size:], n-k
		}
		return nil
	})
}

// An itemsWriter is the state of WriteItems.
type itemsWriter struct {
	out    *Output
	c      Content
	text   textFunc
	size   int // bytes per element
	unit   int // elements per piece
	at     int // number of the next element
	pieces [roundPieces]piece
}

// round writes n elements.
func (w *itemsWriter) round(block []byte, n int) error {
	err := options.Split(w.c.ctx, w.c.workers, n, w.unit, n*itemCost, func(low, high int) error {
		for ; low < high; low += w.unit {
			w.fill(&w.pieces[low/w.unit], block, low, min(low+w.unit, high))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := 0; i*w.unit < n; i++ {
		p := &w.pieces[i]
		w.out.Buf = append(w.out.Buf, p.text...)
		if p.err != nil {
			return p.err
		}
		if err := w.out.Pass(); err != nil {
			return err
		}
	}
	w.at += n
	return nil
}

// fill appends the text of elements low to high of a block.
func (w *itemsWriter) fill(p *piece, block []byte, low, high int) {
	p.text, p.err = p.text[:0], nil
	for i := low; i < high; i++ {
		var err error
		if p.text, err = w.text(p.text, block[i*w.size:(i+1)*w.size:(i+1)*w.size], w.at+i); err != nil {
			p.err = blame(w.c.Shape, w.at+i, err)
			return
		}
	}
}
