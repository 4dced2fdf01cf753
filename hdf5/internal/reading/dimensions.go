package reading

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/structure"
)

var scaleAttributes = []string{structure.ClassAttribute, structure.NameAttribute, structure.ReferenceListAttribute, structure.DimensionListAttribute, structure.LabelsAttribute}

// dimensions describe the axes of a dataset, by its attributes.
type dimensions struct {
	labels  []string
	scales  [][]string // the paths of the scales of each axis
	isScale bool
	name    string   // of the scale
	hidden  []string // the attributes that say so
}

// MaxScaleBytes limits the references to the scales of all axes of a dataset, of 8 bytes each: they are read for every entry, and many
// datasets can share a list.
const MaxScaleBytes = 4 << 10

// dimensions reads the attributes of dimension scales. Attributes that say something else are left alone. The
// REFERENCE_LIST of a scale, which can be long, repeats the attributes of other datasets and is not read.
func (f *File) dimensions(h *structure.Header) (d dimensions) {
	r := f.ReadingOf(MaxScaleBytes)
	all, _ := f.attributesBy(h, r, func(name string) bool {
		return name != structure.ReferenceListAttribute && slices.Contains(scaleAttributes, name)
	})
	has := map[string]*npy.Array{}
	for _, a := range all {
		if a.Err == nil && has[a.Name] == nil {
			has[a.Name] = a.Value
		}
	}
	hide := func(ok bool, name string) {
		if ok {
			d.hidden = append(d.hidden, name)
		}
	}
	if class, ok := oneText(has[structure.ClassAttribute]); ok && class == structure.ScaleClass {
		d.isScale = true
		hide(true, structure.ClassAttribute)
		name, ok := oneText(has[structure.NameAttribute])
		d.name = name
		hide(ok, structure.NameAttribute)
		hide(true, structure.ReferenceListAttribute)
	}
	d.scales = scalesOf(has[structure.DimensionListAttribute])
	hide(d.scales != nil, structure.DimensionListAttribute)
	d.labels = labelsOf(has[structure.LabelsAttribute])
	hide(d.labels != nil, structure.LabelsAttribute)
	return d
}

// describe puts the dimensions into an entry. Elements that are arrays give the entry more axes.
func (d dimensions) describe(e *container.Entry) {
	rank := len(e.Shape)
	e.IsScale, e.ScaleName = d.isScale, d.name
	if len(d.scales) <= rank && slices.ContainsFunc(d.scales, func(axis []string) bool { return len(axis) > 0 }) {
		e.Scales = append(slices.Clone(d.scales), make([][]string, rank-len(d.scales))...)
	}
	if len(d.labels) > 0 && len(d.labels) <= rank {
		e.Labels = append(slices.Clone(d.labels), make([]string, rank-len(d.labels))...)
	}
	dims := make([]string, rank)
	for i := range dims {
		switch {
		case e.Labels != nil && e.Labels[i] != "":
			dims[i] = e.Labels[i]
		case e.Scales != nil && len(e.Scales[i]) > 0:
			dims[i] = path.Base(e.Scales[i][0])
		case e.IsScale && rank == 1:
			dims[i] = path.Base(e.Path)
		}
	}
	if slices.ContainsFunc(dims, func(name string) bool { return name != "" }) {
		e.Dims = dims
	}
}

// oneText returns the only text of an attribute.
func oneText(a *npy.Array) (string, bool) {
	if a == nil || a.Size() != 1 {
		return "", false
	}
	switch a.DType().Kind() {
	case dtype.KindBytes:
		return string(bytes.TrimRight(a.Bytes(), "\x00")), true
	case dtype.KindObject:
		objects, err := a.Objects()
		if err != nil {
			return "", false
		}
		text, ok := objects[0].(string)
		return text, ok
	}
	return "", false
}

// labelsOf returns the texts of DIMENSION_LABELS, or nil if it has something else.
func labelsOf(a *npy.Array) []string {
	if a == nil || a.NDim() != 1 || a.DType().Kind() != dtype.KindObject {
		return nil
	}
	objects, err := a.Objects()
	if err != nil {
		return nil
	}
	labels := make([]string, len(objects))
	for i, x := range objects {
		text, ok := x.(string)
		if !ok {
			return nil
		}
		labels[i] = text
	}
	return labels
}

// scalesOf returns the paths that DIMENSION_LIST has for each axis: sequences of references. It returns nil if the attribute has
// something else, or a reference leads to no path.
func scalesOf(a *npy.Array) [][]string {
	if a == nil || a.NDim() != 1 || a.DType().Kind() != dtype.KindObject {
		return nil
	}
	axes, err := a.Objects()
	if err != nil {
		return nil
	}
	scales := make([][]string, len(axes))
	for i, x := range axes {
		axis, ok := x.(*npy.Array)
		if !ok || axis.Size() > 0 && axis.DType().Kind() != dtype.KindObject {
			return nil
		}
		if axis.Size() == 0 {
			continue
		}
		paths, err := axis.Objects()
		if err != nil {
			return nil
		}
		for _, p := range paths {
			to, ok := p.(string)
			if !ok || !strings.HasPrefix(to, "/") || to == "/" {
				return nil
			}
			scales[i] = append(scales[i], to[1:])
		}
	}
	return scales
}
