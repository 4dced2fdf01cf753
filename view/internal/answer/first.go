package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"path"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
)

// firstTries limits the arrays that are opened to find one that can be read, and lookedMax the entries whose attributes are read.
const (
	firstTries = 20
	lookedMax  = 1000
)

// first answers "first": the array that the page shows unless its address names one, or why none can be shown.
func (a *Answers) first(ctx context.Context, q url.Values, w Writer) error {
	var states []string
	var why error
	found := map[string]any{}
	tries := firstTries
	for i, f := range a.files {
		open, state, done, err := f.use(ctx, true)
		states = append(states, state)
		if err != nil {
			why = cmp.Or(why, err)
			continue
		}
		for e := range open.ordered() {
			if err := open.Entries[e].Err; err != nil {
				why = cmp.Or(why, err)
				continue
			}
			if tries--; tries < 0 {
				break
			}
			if _, err := open.Source(e); err != nil {
				why = cmp.Or(why, err)
				continue
			}
			found["f"], found["e"] = i, e
			break
		}
		done()
		if len(found) > 0 {
			break
		}
	}
	if len(found) == 0 {
		if why == nil {
			why = errors.New("there are no arrays in it")
		} else {
			found["unreadable"] = true
		}
		found["error"] = why.Error()
	}
	tag, err := etag(q, append(states, fmt.Sprint(found))...)
	if err != nil {
		return err
	}
	return writeJSON(w, tag, found)
}

// ordered yields the arrays of a file, the one that is worth most to be seen first at the start.
func (f *File) ordered() iter.Seq[int] {
	return func(yield func(int) bool) {
		best := f.best()
		if best >= 0 && !yield(best) {
			return
		}
		for _, few := range []bool{false, true} { // coordinates and single elements come last
			for i, e := range f.Entries {
				if e.Group && e.Err == nil || i == best || few != (e.IsScale || elements(e.Shape) < 2 || e.Null) {
					continue
				}
				if !yield(i) {
					return
				}
			}
		}
	}
}

// elements returns the number of elements of a shape, which may be larger than an int.
func elements(shape []int) float64 {
	n := 1.0
	for _, d := range shape {
		n *= float64(d)
	}
	return n
}

// best returns the array that the format or a convention names, or -1.
func (f *File) best() int {
	global := f.values(root)
	conventions := strings.ToUpper(textOf(global["Conventions"]))
	switch {
	case f.Kind == "netCDF" || strings.Contains(conventions, "CF-") || strings.Contains(conventions, "COARDS"):
		return f.largest()
	case f.Kind == "HDF5":
		return f.nexus(global)
	}
	return -1
}

// largest returns the largest variable of netCDF that is no coordinate of another one and no table of a grid.
func (f *File) largest() int {
	paths := f.paths()
	helps := map[int]bool{}
	for i, e := range f.Entries[:min(len(f.Entries), lookedMax)] {
		if e.Group || e.Err != nil {
			continue
		}
		at := f.values(i)
		for _, name := range []string{"coordinates", "bounds", "climatology", "grid_mapping", "ancillary_variables", "formula_terms", "cell_measures"} {
			for _, word := range strings.Fields(textOf(at[name])) {
				if k, ok := find(paths, parentOf(e.Path), word); ok {
					helps[k] = true
				}
			}
		}
	}
	best, most := -1, 0.0
	for i, e := range f.Entries {
		coordinate := e.IsScale || helps[i] || len(e.Dims) == 1 && e.Dims[0] == path.Base(e.Path)
		if e.Group || e.Err != nil || coordinate || !isReal(e.DType) {
			continue
		}
		if n := elements(e.Shape); n > most {
			best, most = i, n
		}
	}
	return best
}

// nexus returns the signal of the plot that NeXus names as the default of a file, or of its first plot; -1 if there is none.
func (f *File) nexus(global map[string]*npy.Array) int {
	paths := f.paths()
	group, at := "", global
	for range 8 { // a default may name itself
		name := textOf(at["default"])
		i, ok := find(paths, group, name)
		if name == "" || !ok {
			break
		}
		if !f.Entries[i].Group {
			return i
		}
		group, at = f.Entries[i].Path, f.values(i)
	}
	if signal := f.signal(paths, group, at); signal >= 0 {
		return signal
	}
	for i, e := range f.Entries[:min(len(f.Entries), lookedMax)] {
		if !e.Group || group != "" && e.Path != group && !strings.HasPrefix(e.Path, group+"/") {
			continue
		}
		if at := f.values(i); textOf(at["NX_class"]) == "NXdata" {
			if signal := f.signal(paths, e.Path, at); signal >= 0 {
				return signal
			}
		}
	}
	return -1
}

// signal returns the array that an NXdata group plots: the one that its attribute names, or in older files the one whose own
// attribute is 1. It returns -1 if there is none.
func (f *File) signal(paths map[string]int, group string, at map[string]*npy.Array) int {
	if name := textOf(at["signal"]); name != "" {
		if i, ok := paths[path.Join(group, name)]; ok && !f.Entries[i].Group {
			return i
		}
	}
	if textOf(at["NX_class"]) != "NXdata" {
		return -1
	}
	for i, e := range f.Entries[:min(len(f.Entries), lookedMax)] {
		if e.Group || e.Err != nil || parentOf(e.Path) != group {
			continue
		}
		if mark := f.values(i)["signal"]; mark != nil && (textOf(mark) == "1" || len(realsOf(mark)) == 1 && realsOf(mark)[0] == 1) {
			return i
		}
	}
	return -1
}

// entryOf returns the entry of a path that a file names, with or without a slash at its start.
func entryOf(paths map[string]int, entries []container.Entry, name string) (int, bool) {
	i, ok := paths[strings.TrimPrefix(name, "/")]
	if !ok {
		i, ok = paths["/"+strings.TrimPrefix(name, "/")]
	}
	return i, ok && !entries[i].Group
}
