package writing

import (
	"errors"
	"fmt"
	"slices"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// setFill takes the fill value of an entry, if an array can have it.
func (a *arrayWriter) setFill(e container.Entry) {
	if e.Fill == nil {
		return
	}
	fill, err := e.Fill, error(nil)
	switch {
	case fill.NDim() > 0:
		err = fmt.Errorf("it has shape %v", fill.Shape())
	case a.meaning.Refers(container.ObjectReference):
		err = errors.New("it has references")
	case a.null:
		err = errors.New("there are no elements")
	case e.TextDim != "":
		err = errors.New("the library of netCDF fails on text of a fixed size that has one")
	case !fill.DType().Equal(a.t) && fill.DType().HasObject():
		err = fmt.Errorf("it has dtype %s", fill.DType())
	case !fill.DType().Equal(a.t):
		fill, err = fill.AsType(a.t)
	}
	if err != nil {
		a.lost = append(a.lost, container.Loss{Path: e.Path, What: "the fill value", Detail: err.Error()})
		return
	}
	a.fill = fill
}

// encodeFill encodes the fill value for the file, when the form of the elements is known.
func (a *arrayWriter) encodeFill() error {
	if a.fill == nil {
		return nil
	}
	data, err := a.form.Encode(a.fill, &Pool{Heap: a.w.heap})
	if err == nil && len(data) > structure.MaxMessage-8 {
		err = fmt.Errorf("it takes %d bytes, and the limit of HDF5 is %d", len(data), structure.MaxMessage)
	}
	if err != nil {
		if a.w.err == nil {
			a.lost = append(a.lost, container.Loss{Path: a.path, What: "the fill value", Detail: err.Error()})
		}
		return a.w.err
	}
	if a.fillBytes = slices.Clone(data); a.sink != nil {
		a.sink.Fill = a.fillBytes
	}
	return nil
}
