package writing

import (
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// References are written at the end of a file, when every object has an address: elements and attributes that are
// references, and the headers of dimension scales and of arrays with scales. All addresses are given before any of these
// is written.

// axes describe the dimensions of an array.
type axes struct {
	labels  []string   // nil for none
	scales  [][]string // the paths of scales, for each axis; nil for none
	isScale bool
	name    string       // of the scale
	lists   [][]*member  // the scales that are in the file
	listed  []listedAxis // the axes that have the scale
}

// A listedAxis is an axis of an array.
type listedAxis struct {
	node *member
	axis int
}

// axesOf returns the axes of an entry. Where an axis has a name and no scale, the name becomes a label.
func axesOf(e container.Entry) axes {
	x := axes{isScale: e.IsScale, name: e.ScaleName}
	if len(x.name) > structure.MaxMessage/2 {
		x.name = ""
	}
	if len(e.Scales) == len(e.Shape) && slices.ContainsFunc(e.Scales, func(axis []string) bool { return len(axis) > 0 }) {
		x.scales = e.Scales
	}
	switch {
	case len(e.Labels) == len(e.Shape) && len(e.Labels) > 0:
		x.labels = e.Labels
	case len(e.Dims) == len(e.Shape):
		x.labels = slices.Clone(e.Dims)
		for i, name := range x.labels {
			if x.scales != nil && len(x.scales[i]) > 0 || e.IsScale && len(x.labels) == 1 && name == path.Base(e.Path) {
				x.labels[i] = ""
			}
		}
		if !slices.ContainsFunc(x.labels, func(name string) bool { return name != "" }) {
			x.labels = nil
		}
	}
	return x
}

// reserved returns the names of the attributes that the axes have.
func (a *arrayWriter) reserved() []string {
	var names []string
	if a.axes.isScale {
		names = append(names, structure.ClassAttribute, structure.NameAttribute, structure.ReferenceListAttribute)
	}
	if a.axes.scales != nil {
		names = append(names, structure.DimensionListAttribute, structure.LabelsAttribute)
	}
	return names
}

// isLate reports whether the header of an array is written at the end.
func (a *arrayWriter) isLate() bool {
	return a.kept != nil || len(a.attributes.Refs) > 0 || a.axes.isScale || a.axes.scales != nil
}

// A dimension is one that a group defines, as netCDF has them.
type dimension struct {
	name      string
	n         int
	unlimited bool
}

// dimensionsOf returns the dimensions that the entry of a group defines.
func dimensionsOf(e container.Entry) []dimension {
	var dims []dimension
	for i, name := range e.Dims {
		if name == "" || i >= len(e.Shape) || checkPath(name) != nil || strings.Contains(name, "/") {
			continue
		}
		dims = append(dims, dimension{name, e.Shape[i], i < len(e.MaxShape) && e.MaxShape[i] == container.Unlimited})
	}
	return dims
}

// addDimensions adds a scale without elements for each dimension that a group defines and no array has the name of.
func (w *File) addDimensions(n *member) error {
	for _, d := range n.dims {
		if old := n.children[d.name]; old != nil {
			if old.late == nil || !old.late.axes.isScale {
				w.lose(container.Loss{Path: n.path, What: "the dimension " + d.name, Detail: "another entry has this name"})
			}
			continue
		}
		where := strings.TrimPrefix(n.path+"/"+d.name, "/")
		e := container.Entry{Path: where, DType: dtype.Float32.WithByteOrder(dtype.BigEndian), Shape: []int{d.n}, IsScale: true, ScaleName: fmt.Sprintf("%s%10d", structure.NoVariable, d.n)}
		if d.unlimited {
			e.MaxShape, e.Chunks = []int{container.Unlimited}, []int{max(min(d.n, 1024), 1)}
		}
		a, err := w.newArray(e)
		if err != nil {
			return entryError(where, err)
		}
		if a.filters = nil; !d.unlimited { // nothing is stored
			a.chunks, a.limits = nil, nil
		}
		w.root.add(where, a.node)
		a.node.late = a
		w.late = append(w.late, a)
	}
	return nil
}

// finishLate writes references to other objects.
func (w *File) finishLate() error {
	if err := w.root.each(func(n *member) error { return w.addDimensions(n) }); err != nil {
		return err
	}
	if len(w.late) == 0 && !w.refers {
		return nil
	}
	for _, a := range w.late {
		w.attach(a)
	}
	for _, a := range w.late {
		if err := a.placeLate(); err != nil {
			return entryError(a.path, err)
		}
	}
	err := w.root.each(func(n *member) error {
		if !n.group {
			return nil
		}
		return n.place(w.out)
	})
	for _, a := range w.late {
		if err == nil {
			err = entryError(a.path, a.writeLate())
		}
	}
	return err
}

// attach finds the scales of an array. An axis whose scale is not in the file gets a label.
func (w *File) attach(a *arrayWriter) {
	x := &a.axes
	if x.scales == nil {
		return
	}
	x.lists = make([][]*member, len(x.scales))
	labels := make([]string, len(x.scales))
	copy(labels, x.labels)
	for i, paths := range x.scales {
		for _, p := range paths {
			n, _ := w.root.find(p)
			if n == a.node {
				continue // a coordinate variable is its own scale
			}
			if n == nil || n.late == nil || !n.late.axes.isScale || x.isScale {
				w.lose(container.Loss{Path: a.path, What: "the dimension scales", Detail: p + " is no scale in the file"})
				if labels[i] == "" {
					labels[i] = path.Base(p)
				}
				continue
			}
			x.lists[i] = append(x.lists[i], n)
			n.late.axes.listed = append(n.late.axes.listed, listedAxis{a.node, i})
		}
	}
	if !slices.ContainsFunc(x.lists, func(axis []*member) bool { return len(axis) > 0 }) {
		x.lists = nil
	}
	if slices.ContainsFunc(labels, func(name string) bool { return name != "" }) {
		x.labels = labels
	}
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
	if n := len(a.axes.listed); n > maxListed {
		a.w.lose(container.Loss{Path: a.path, What: "the list of the arrays of a scale", Detail: fmt.Sprintf("%d axes are more than an attribute can name", n)})
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

// resolve puts the addresses of objects into references. The reference to an object that is not in the file is null.
func (w *File) resolve(from string, data []byte, refs []structure.PendingRef) {
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

// A scale lists the axes that it belongs to, as far as the attribute can be: each takes listedSize bytes.
const (
	listedSize = 16
	maxListed  = (structure.MaxMessage - 256) / listedSize
)

// attributes returns the attributes of dimension scales as HDF5's library has them, H5DS. Without addresses, references
// are zero, and nothing is put into the heap.
func (x *axes) attributes(h *structure.Heap, addresses bool) (*structure.HeaderBuilder, error) {
	b := &structure.HeaderBuilder{}
	add := func(name string, datatype, data []byte, dims ...int) {
		b.Attribute(name, datatype, structure.Dataspace(dims, nil), data, nil)
	}
	if x.isScale {
		add(structure.ClassAttribute, terminatedType(structure.ScaleClass), []byte(structure.ScaleClass+"\x00"))
		add(structure.NameAttribute, terminatedType(x.name), []byte(x.name+"\x00"))
		if n := len(x.listed); n > 0 && n <= maxListed {
			add(structure.ReferenceListAttribute, listedType(), x.references(), n)
		}
	}
	sequences := make([][]byte, len(x.lists))
	for i, axis := range x.lists {
		for _, n := range axis {
			sequences[i] = binary.LittleEndian.AppendUint64(sequences[i], n.addr)
		}
	}
	labels := make([][]byte, len(x.labels))
	for i, text := range x.labels {
		labels[i] = []byte(text)
	}
	put := func(items [][]byte, size int) ([]byte, error) {
		data := make([]byte, structure.HeapReference*len(items))
		if !addresses {
			return data, nil
		}
		return data, h.References(data, items, size)
	}
	if x.lists != nil {
		data, err := put(sequences, structure.AddressSize)
		if err != nil {
			return nil, err
		}
		add(structure.DimensionListAttribute, structure.SequenceType(structure.ReferenceType()), data, len(x.lists))
	}
	if x.labels != nil && x.scales != nil {
		data, err := put(labels, 1)
		if err != nil {
			return nil, err
		}
		add(structure.LabelsAttribute, structure.VariableStringType(true), data, len(x.labels))
	}
	return b, nil
}

// references returns the elements of REFERENCE_LIST.
func (x *axes) references() []byte {
	var b []byte
	for _, l := range x.listed {
		b = binary.LittleEndian.AppendUint64(b, l.node.addr)
		b = binary.LittleEndian.AppendUint32(b, uint32(l.axis))
		b = append(b, 0, 0, 0, 0)
	}
	return b
}

// listedType returns the datatype of the elements of REFERENCE_LIST, as C lays the struct out.
func listedType() []byte {
	return structure.CompoundType(listedSize, []structure.MemberType{{Name: "dataset", Offset: 0, Form: structure.ReferenceType()}, {Name: "dimension", Offset: structure.AddressSize, Form: structure.IntegerType(4, true, false)}})
}

// terminatedType returns the datatype of a text that ends with a NUL.
func terminatedType(text string) []byte {
	bits := uint32(0)
	if !structure.IsASCII(text) {
		bits = structure.UTF8Charset
	}
	return structure.DatatypeHead(1, structure.ClassString, bits, len(text)+1)
}
