package answer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/npygo/npy"
)

// A coordinate is an array that may have the coordinates of an axis of another one.
type coordinate struct {
	F     int    `json:"f"`
	E     int    `json:"e"`
	Path  string `json:"path"`
	DType string `json:"dtype"`
	N     int    `json:"n"`
	meaning
	Positive string `json:"positive"` // "down" if larger values lie lower, as CF has it
	Rises    bool   `json:"rises"`
	Why      string `json:"why"` // why it cannot be used; "" if it can
}

// A describedAxis is an axis of an array.
type describedAxis struct {
	Name string       `json:"name"`
	All  []coordinate `json:"all"` // the one to use first
}

// usable returns the coordinates to use for the axis, or nil.
func (x describedAxis) usable() *coordinate {
	for i := range x.All {
		if x.All[i].Why == "" {
			return &x.All[i]
		}
	}
	return nil
}

const (
	candidatesMax = 8 // of an axis
	axesMax       = 64
)

// axes answers "axes": the coordinates that the file has for the axes of an array. With the parameter by, F.E, it is about this array
// and the axis of the parameter axis alone.
func (a *Answers) axes(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.target(ctx, q, false)
	if err != nil {
		return err
	}
	defer s.done()
	var all []describedAxis
	var tag string
	if by := q.Get("by"); by != "" {
		axis, err := number(q, "axis", 0, len(s.src.Shape())-1, 0)
		if err != nil {
			return err
		}
		f, e, _ := strings.Cut(by, ".")
		o, err := a.target(ctx, s.beside(f, e, ""), false)
		if err != nil {
			return err
		}
		defer o.done()
		if tag, err = etag(q, append(slices.Clone(s.states), o.states...)...); err != nil {
			return err
		}
		all = []describedAxis{{All: []coordinate{a.coordinate(ctx, o, s.src.Shape()[axis])}}}
	} else {
		if tag, err = etag(q, s.states...); err != nil {
			return err
		}
		all = a.axesOf(ctx, s)
	}
	return writeJSON(w, tag, map[string]any{"axes": all})
}

// axesOf returns the axes of the array of a selection. Coordinates that cannot be used say why.
func (a *Answers) axesOf(ctx context.Context, s *selection) []describedAxis {
	entry := s.open.Entries[s.e]
	all := []describedAxis{}
	for i, candidates := range s.open.coordinatesOf(s.e) {
		x := describedAxis{All: []coordinate{}}
		if i < len(entry.Dims) {
			x.Name = entry.Dims[i]
		}
		for _, e := range candidates[:min(len(candidates), candidatesMax)] {
			o, err := a.target(ctx, s.beside(fmt.Sprint(s.f), fmt.Sprint(e), ""), false)
			if err != nil {
				x.All = append(x.All, coordinate{F: s.f, E: e, Path: s.open.Entries[e].Path, Why: err.Error()})
				continue
			}
			x.All = append(x.All, a.coordinate(ctx, o, entry.Shape[i]))
			o.done()
		}
		all = append(all, x)
	}
	return all
}

// coordinate describes an array as the coordinates of an axis of a length.
func (a *Answers) coordinate(ctx context.Context, o *selection, length int) coordinate {
	at := o.open.values(o.e)
	t, shape := o.src.DType(), o.src.Shape()
	c := coordinate{F: o.f, E: o.e, Path: o.open.Entries[o.e].Path, DType: dtypeName(t), meaning: meaningOf(at), Positive: strings.ToLower(textOf(at["positive"]))}
	switch {
	case len(shape) != 1:
		c.Why = fmt.Sprintf("it has %d axes: only arrays of one axis are coordinates", len(shape))
		return c
	case !isReal(t):
		c.Why = fmt.Sprintf("its elements are %s, not numbers", cut(dtypeName(t), 60))
		return c
	}
	if c.N = shape[0]; c.N != length {
		c.Why = fmt.Sprintf("it has %d elements, and the axis %d", c.N, length)
		return c
	}
	v, err := a.kept.get(ctx, o.key+" order", o.hold, func(ctx context.Context) (any, int64, error) {
		order, err := orderOf(ctx, o.src)
		return order, 64, err
	})
	if err != nil {
		c.Why = err.Error()
		return c
	}
	order := v.(direction)
	c.Rises, c.Why = order.rises, order.why
	return c
}

// A direction says how the elements of coordinates follow each other.
type direction struct {
	rises bool
	why   string // they cannot be used
}

// The elements of longer coordinates are not all read to find whether they rise or fall: parts of them are.
const (
	orderWhole = 1 << 20
	orderParts = 16
	orderPart  = 4096
)

// orderOf finds whether all elements rise, or fall.
func orderOf(ctx context.Context, src npy.Source) (direction, error) {
	src, err := drawn(src)
	if err != nil {
		return direction{}, err
	}
	n := src.Shape()[0]
	parts, size := 1, n
	if n > orderWhole {
		parts, size = orderParts, orderPart
	}
	d := direction{rises: true}
	last, lastAt, sign := math.NaN(), 0, 0.0
	for p := range parts {
		low := 0
		if parts > 1 {
			low = int(float64(n-size) * float64(p) / float64(parts-1))
		}
		values, err := floats(ctx, src, npy.Span(low, low+size))
		if err != nil {
			return d, err
		}
		for i, v := range values {
			at := low + i
			if v != v {
				d.why = fmt.Sprintf("element %d is no number", at)
				return d, nil
			}
			if at > 0 && last == last {
				s := float64(cmp.Compare(v, last))
				if s == 0 || sign*s < 0 {
					d.why = fmt.Sprintf("it neither rises nor falls throughout: %.10g at %d is followed by %.10g at %d", last, lastAt, v, at)
					return d, nil
				}
				sign = s
			}
			last, lastAt = v, at
		}
	}
	d.rises = sign >= 0
	return d, nil
}

// coordinatesOf returns the arrays that may have the coordinates of each axis of an entry: its dimension scales, the axes that NeXus
// names, the variables with the names of its dimensions, and the coordinates of CF.
func (f *File) coordinatesOf(e int) [][]int {
	entry := f.Entries[e]
	rank := min(len(entry.Shape), axesMax)
	out := make([][]int, rank)
	if f.Attributes == nil && entry.Scales == nil && entry.Dims == nil || rank == 0 {
		return out
	}
	paths := f.paths()
	group := parentOf(entry.Path)
	add := func(axis, i int) {
		if axis >= 0 && axis < rank && i != e && !slices.Contains(out[axis], i) && !f.Entries[i].Group && f.Entries[i].Err == nil {
			out[axis] = append(out[axis], i)
		}
	}
	for axis, scales := range entry.Scales {
		for _, name := range scales {
			if i, ok := entryOf(paths, f.Entries, name); ok {
				add(axis, i)
			}
		}
	}
	f.nexusAxes(e, paths, add)
	for axis, name := range entry.Dims {
		if name == "" || path.Base(entry.Path) == name {
			continue
		}
		if i, ok := find(paths, group, name); ok {
			add(axis, i)
		}
	}
	for _, name := range strings.Fields(textOf(f.values(e)["coordinates"])) {
		i, ok := find(paths, group, name)
		if !ok {
			continue
		}
		for axis, dim := range entry.Dims {
			if dim != "" && slices.Contains(f.Entries[i].Dims, dim) {
				add(axis, i)
			}
		}
	}
	return out
}

// nexusAxes adds the axes that an NXdata group names for an array in it: the attributes axes and NAME_indices of the group, and the
// attribute axes of the array, which older files have.
func (f *File) nexusAxes(e int, paths map[string]int, add func(axis, i int)) {
	entry := f.Entries[e]
	group := parentOf(entry.Path)
	g := root
	if group != "" {
		i, ok := paths[group]
		if !ok {
			return
		}
		g = i
	}
	at := f.values(g)
	if textOf(at["NX_class"]) != "NXdata" && at["signal"] == nil {
		return
	}
	member := func(name string) (int, bool) { return entryOf(paths, f.Entries, path.Join(group, name)) }
	names := textsOf(at["axes"])
	if len(names) == 1 {
		names = splitAxes(names[0])
	}
	for axis, name := range names {
		of := at[name+"_indices"]
		if len(names) != len(entry.Shape) || of != nil && !slices.Contains(realsOf(of), float64(axis)) {
			continue
		}
		if i, ok := member(name); ok { // not for ".", an axis without coordinates
			add(axis, i)
		}
	}
	for _, a := range f.attributes(g) {
		name, isIndices := strings.CutSuffix(a.Name, "_indices")
		if !isIndices || len(names) > 0 && len(names) != len(entry.Shape) {
			continue
		}
		if i, ok := member(name); ok {
			for _, axis := range realsOf(at[a.Name]) {
				if axis >= 0 && axis < axesMax {
					add(int(axis), i)
				}
			}
		}
	}
	own := textsOf(f.values(e)["axes"])
	if len(own) == 1 {
		own = splitAxes(own[0])
	}
	for axis, name := range own {
		if i, ok := member(name); ok && len(own) == len(entry.Shape) {
			add(axis, i)
		}
	}
}

// splitAxes splits the names of axes in one text, "x:y" or "[x,y]".
func splitAxes(text string) []string {
	return strings.FieldsFunc(strings.Trim(text, "[] "), func(r rune) bool { return r == ':' || r == ',' || r == ' ' })
}

const (
	alongMax  = 2048    // coordinates of an answer
	alongFar  = 64      // of coordinates whose elements are far apart in the file
	alongNear = 4 << 20 // elements
)

// along answers "along": coordinates of a window of an axis, all of them or some at equal distances, and the last one.
func (a *Answers) along(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.target(ctx, q, false)
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	if err := a.place(ctx, s, "x", "x", ""); err != nil {
		return err
	}
	low, high, err := s.span(q, "x", s.x)
	if err != nil {
		return err
	}
	src, err := drawn(s.src)
	if err != nil {
		return err
	}
	n, most := high-low, alongMax
	if n > alongNear {
		most = alongFar
	}
	step := max(1, (n+most-1)/most)
	values, err := floats(ctx, src, npy.Span(low, high).By(step))
	if err != nil {
		return err
	}
	at := make([]float64, len(values))
	for i := range at {
		at[i] = float64(low + i*step)
	}
	if n > 0 && (n-1)%step > 0 {
		last, err := floats(ctx, src, npy.Span(high-1, high))
		if err != nil {
			return err
		}
		values, at = append(values, last...), append(at, float64(high-1))
	}
	return writeFrame(w, tag, map[string]any{"x0": low, "x1": high, "step": step}, plane{Name: "at", data: at}, plane{Name: "values", data: values})
}
