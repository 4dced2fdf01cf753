package writing

import (
	"encoding/binary"
	"path"
	"slices"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// axes describe the dimensions of an array.
type axes struct {
	labels []string    // nil for none
	scales [][]string  // the paths of scales, for each axis; nil for none
	scale  *scale      // nil if the array is no scale
	name   string      // of the scale
	lists  [][]*member // the scales that are in the file
}

// axesOf returns the axes of an entry. Where an axis has a name and no scale, the name becomes a label.
func axesOf(e container.Entry) axes {
	x := axes{name: e.ScaleName}
	if e.IsScale {
		x.scale = &scale{}
	}
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
	if x.scale != nil {
		add(structure.ClassAttribute, terminatedType(structure.ScaleClass), []byte(structure.ScaleClass+"\x00"))
		add(structure.NameAttribute, terminatedType(x.name), []byte(x.name+"\x00"))
		if n := len(x.scale.listed); n > 0 && n <= maxListed {
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
	for _, l := range x.scale.listed {
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

// reserved returns the names of the attributes that the axes have.
func (x *axes) reserved() []string {
	var names []string
	if x.scale != nil {
		names = append(names, structure.ClassAttribute, structure.NameAttribute, structure.ReferenceListAttribute)
	}
	if x.scales != nil {
		names = append(names, structure.DimensionListAttribute, structure.LabelsAttribute)
	}
	return names
}
