package writing

import (
	"fmt"

	"github.com/npygo/npy/container"
)

// isLate reports whether the header of an array is written at the end.
func (a *arrayWriter) isLate() bool {
	return a.kept != nil || len(a.attributes.Refs) > 0 || a.axes.scale != nil || a.axes.scales != nil
}

// mayBeLate reports whether the header of an array that has no elements yet may be written at the end.
func (a *arrayWriter) mayBeLate() bool {
	return a.isLate() || a.meaning.Refers(container.ObjectReference)
}

// writeLate writes the elements that refer to other objects, and the header.
func (a *arrayWriter) writeLate() error {
	w := a.w
	if err := a.writeKept(); err != nil {
		return err
	}
	w.resolve(a.path, a.attributes.Buf, a.attributes.Refs)
	more, err := a.axes.attributes(w.heap, true)
	if err != nil {
		return err
	}
	data, err := a.header(more)
	if err != nil {
		return err
	}
	return w.out.WritePadded(data, int64(a.node.addr))
}

// placeLate gives the header its address, when its contents are known except for addresses.
func (a *arrayWriter) placeLate() error {
	more, err := a.axes.attributes(nil, false)
	if err != nil {
		return err
	}
	data, err := a.header(more)
	if err != nil {
		return err
	}
	if s := a.axes.scale; s != nil && len(s.listed) > maxListed {
		a.w.lose(container.Loss{Path: a.path, What: "the list of the arrays of a scale", Detail: fmt.Sprintf("%d axes are more than an attribute can name", len(s.listed))})
	}
	return a.place(len(data))
}

// writeKept writes elements that refer to other objects.
func (a *arrayWriter) writeKept() error {
	if a.kept == nil {
		return nil
	}
	w := a.w
	w.resolve(a.path, a.kept, a.refs)
	if a.sink == nil {
		addr, err := w.out.Put(a.kept)
		a.data = addr
		return err
	}
	err := a.sink.Write(a.kept)
	if err == nil {
		err = w.drain()
	}
	if err == nil {
		a.data, err = a.sink.index()
	}
	return err
}
