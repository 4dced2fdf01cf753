package writing

import (
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

// addDimensions adds a scale without elements for each dimension that a group defines and no array has the name of.
func (w *File) addDimensions(n *member) error {
	for _, d := range n.dims {
		if old := n.children[d.name]; old != nil {
			if old.scale == nil {
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
		a.late, a.node.scale = true, a.axes.scale
		w.late = append(w.late, a)
	}
	return nil
}

// finishLate writes references to other objects.
func (w *File) finishLate() error {
	if err := w.root.each(func(n *member) error { return w.addDimensions(n) }); err != nil {
		return err
	}
	w.late = slices.DeleteFunc(w.late, func(a *arrayWriter) bool { return !a.late })
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
			if n == nil || n.scale == nil || x.scale != nil {
				w.lose(container.Loss{Path: a.path, What: "the dimension scales", Detail: p + " is no scale in the file"})
				if labels[i] == "" {
					labels[i] = path.Base(p)
				}
				continue
			}
			x.lists[i] = append(x.lists[i], n)
			n.scale.listed = append(n.scale.listed, listedAxis{a.node, i})
		}
	}
	if !slices.ContainsFunc(x.lists, func(axis []*member) bool { return len(axis) > 0 }) {
		x.lists = nil
	}
	if slices.ContainsFunc(labels, func(name string) bool { return name != "" }) {
		x.labels = labels
	}
}
