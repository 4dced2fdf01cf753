package source

import (
	"bytes"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
)

const (
	// streamBox and cacheBox are the bytes of a Fortran-ordered file that are buffered while it is rearranged. A stream
	// must be read in order, so its box is large enough for long runs of the result; a box of a file fits the cache of
	// one core.
	streamBox = 8 << 20
	cacheBox  = 2 << 20

	// columnBytes is the target length of a box's runs in the result; columnsMin and columnsMax bound the number of
	// their elements.
	columnBytes = 1024
	columnsMin  = 128
	columnsMax  = 256
)

// fortran reads elements in Fortran order and moves them to their places in C order, box by box.
func (l loader[T]) fortran(dst []T) ([]T, error) {
	h := l.s.Header
	if l.s.avail < 0 { // the result is not filled in order, so it cannot grow with the data
		raw, err := l.s.Bytes()
		if err != nil {
			return nil, err
		}
		l.s = &Source{Header: h, r: bytes.NewReader(raw), avail: int64(len(raw))}
	}
	data := bulk.Reuse(dst, h.Size())
	if len(data) == 0 {
		return data, nil
	}
	size := max(l.size, 1)
	if l.s.at == nil {
		b := inFileOrder(h.Shape, max(streamBox/size, 1))
		return data, l.placeBoxes(data, b, 0, b.count)
	}
	b := forCache(h.Shape, max(cacheBox/size, 1), min(max(columnBytes/size, columnsMin), columnsMax))
	err := l.s.split(b.count, 1, len(data)*l.size, func(low, high int) error { return l.placeBoxes(data, b, low, high) })
	l.s.pos, l.s.read = l.s.pos+h.NBytes(), l.s.read+h.NBytes()
	return data, err
}

// placeBoxes reads the boxes from low to high and moves their elements to their places.
func (l loader[T]) placeBoxes(data []T, b boxes, low, high int) error {
	values := bulk.MakeHuge[T](nd.Size(b.box))
	var buf []byte
	if l.decode == nil {
		buf, _ = bulk.Bytes(values)
	} else {
		buf = make([]byte, len(values)*l.size)
	}
	to := nd.Strides(b.shape, 1, false)
	for k := low; k < high; k++ {
		if err := l.s.ended(); err != nil {
			return err
		}
		x := b.at(k)
		n := nd.Size(x.shape)
		if err := l.readBox(values[:n], buf[:n*l.size], b, x); err != nil {
			return err
		}
		at := 0
		for i, k := range x.origin {
			at += k * to[i]
		}
		bulk.Copy(data, at, to, values, 0, nd.Strides(x.shape, 1, true), x.shape)
	}
	return nil
}

// readBox reads the elements of a box into buf and decodes them, unless they are read into values directly.
func (l loader[T]) readBox(values []T, buf []byte, b boxes, x box) error {
	have := 0
	return b.runs(x, func(first, n int) error {
		run := buf[have*l.size : (have+n)*l.size]
		if err := l.readRun(run, first); err != nil {
			return err
		}
		if l.decode != nil {
			if err := l.decode(values[have:have+n], run, first); err != nil {
				return err
			}
		}
		have += n
		return nil
	})
}

// readRun reads elements from position first on; in a stream they must be the next ones.
func (l loader[T]) readRun(run []byte, first int) error {
	if l.s.at == nil {
		return l.s.fill(run, l.work)
	}
	return l.s.fillPart(run, int64(first)*int64(l.size), l.work)
}
