package netcdf

import (
	"fmt"
	"path"

	"github.com/npygo/npy/container"
)

// group takes the attributes of the root, and the dimensions that it defines.
func (w *Writer) group(e container.Entry, attributes []container.Attribute) {
	w.lose(groupLosses(e, attributes)...)
	w.groups.Add(e)
	if e.Path == "" {
		w.attributes = append(w.attributes, encodeAttributes(attributes, 0)...)
	}
	for i := range e.Dims {
		if i < len(e.Shape) && e.Dims[i] != "" {
			w.define(e, i)
		}
	}
}

// define adds a dimension that a group defines.
func (w *Writer) define(e container.Entry, i int) {
	name, n := e.Dims[i], int64(e.Shape[i])
	valid := validName(name)
	old, taken := w.index[valid]
	lose := func(what, detail string) { w.lose(container.Loss{Path: e.Path, What: what, Detail: detail}) }
	if i < len(e.MaxShape) && e.MaxShape[i] == container.Unlimited {
		if !taken && w.record < 0 && (w.enc.Record == "" || w.enc.Record == name) {
			w.record, w.records = w.dimension(valid, 0), n
			w.defined[path.Join(e.Path, name)] = w.record
			return
		}
		if taken && old == w.record && w.records == n { // of the same name and length
			w.defined[path.Join(e.Path, name)] = w.record
			return
		}
		lose("that the dimension "+name+" is unlimited", "netCDF-3 has one unlimited dimension")
	}
	switch {
	case n == 0:
		lose("the dimension "+name, "its length is 0")
	case taken && w.dims[old].n != n:
		lose("the dimension "+name, "another group has one of this name")
	default:
		w.defined[path.Join(e.Path, name)] = w.dimension(valid, n)
	}
}

// hasRecords reports whether an array is a record variable: its first axis is the dimension of the records.
func (w *Writer) hasRecords(e container.Entry) bool {
	if len(e.Shape) == 0 {
		return false
	}
	name := dimName(e, 0)
	if w.enc.Record != "" {
		return name == w.enc.Record
	}
	grows := len(e.MaxShape) == len(e.Shape) && e.MaxShape[0] == container.Unlimited
	if _, taken := w.index[w.recordName(e)]; w.record < 0 {
		return grows && !taken // by a dimension that cannot grow
	}
	return (grows || name != "") && w.dims[w.record].name == w.recordName(e) && w.records == int64(e.Shape[0])
}

// recordName returns the name that the first dimension of an array has as the record dimension.
func (w *Writer) recordName(e container.Entry) string {
	if name := dimName(e, 0); name != "" {
		return validName(name)
	}
	return "records"
}

// dimensions returns the numbers of the dimensions of an array.
func (w *Writer) dimensions(e container.Entry, record bool) []int {
	var dims []int
	for i, n := range e.Shape {
		if record && i == 0 {
			if w.record < 0 {
				w.record, w.records = w.dimension(w.recordName(e), 0), int64(n)
			}
			dims = append(dims, w.record)
			continue
		}
		name := dimName(e, i)
		if name == "" {
			name = fmt.Sprintf("n%d", n)
		}
		dims = append(dims, w.dimension(validName(name), int64(n)))
	}
	return dims
}

// dimension returns the number of a dimension. If the name has another length, the dimension gets another name.
func (w *Writer) dimension(name string, n int64) int {
	for try := name; ; try = fmt.Sprintf("%s_%d", try, n) {
		i, ok := w.index[try]
		if !ok {
			i = len(w.dims)
			w.dims = append(w.dims, dimension{try, n})
			w.index[try] = i
		}
		if w.dims[i].n == n {
			return i
		}
	}
}
