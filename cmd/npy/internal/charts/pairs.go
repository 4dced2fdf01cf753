package charts

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

func shapeText(s npy.Source) string { return format.ShapeString(s.Shape()) }

func numeric(t dtype.Type) bool { return numbers.Numeric(t) }

// notOnX returns the error for a column along x that is not of real numbers.
func notOnX(t dtype.Type) error {
	if t.Kind() == dtype.KindComplex {
		return errors.New("complex numbers cannot be along x; --kind scatter draws their imaginary part along their real part")
	}
	return numbers.NotNumeric(t)
}

// axis returns the axis that lines run along, 0 or 1.
func (c *Chart) axis() int {
	if c.options.Axis == 1 || c.options.Axis == -1 {
		return 1
	}
	return 0
}

// Find returns an error unless an array has a field or a column called name that can be along x.
func (c *Chart) Find(array npy.Source, name string) error {
	_, err := plotSource{Source: array}.named(name, c.axis())
	return err
}

// named returns the field, or the column of a table whose lines run along an axis, that has a name or a number.
func (s plotSource) named(name string, axis int) (*column, error) {
	if s.DType().NumField() > 0 {
		return s.field(name)
	}
	shape := s.Shape()
	if len(shape) != 2 {
		return nil, fmt.Errorf("no field %q: its elements are %s, and its shape is %s", name, numbers.TypeText(s.DType()), shapeText(s))
	}
	what, n := "columns", shape[1-axis]
	if axis == 1 {
		what = "rows"
	}
	i, err := strconv.Atoi(name)
	if err != nil || i < -n || i >= n {
		return nil, fmt.Errorf("no %s %q: it has %s 0 to %d", strings.TrimSuffix(what, "s"), name, what, n-1)
	}
	return s.line((i+n)%n, axis), nil
}

// field returns a field of records. A dot separates the names of fields of fields.
func (s plotSource) field(name string) (*column, error) {
	shape := s.Shape()
	if len(shape) != 1 {
		return nil, fmt.Errorf("its shape is %s, and records are drawn along one dimension; choose a part with an index", shapeText(s))
	}
	c := &column{Source: s.Source, ctx: s.ctx, of: s.DType(), length: shape[0]}
	if !c.descend(name) {
		var names []string
		for _, f := range c.of.Fields() {
			names = append(names, f.Name)
		}
		return nil, fmt.Errorf("no field %q; it has %s", name, strings.Join(names, ", "))
	}
	if !numeric(c.of) {
		return nil, fmt.Errorf("field %q: %w", name, numbers.NotNumeric(c.of))
	}
	return c, nil
}

// descend goes from records to the field of a name, or of names with dots between them. If there is none, it stops at the
// records that lack it.
func (c *column) descend(path string) bool {
	f, found := c.of.FieldByName(path)
	rest := ""
	if !found {
		for _, of := range c.of.Fields() {
			if strings.HasPrefix(path, of.Name+".") {
				f, rest = of, path[len(of.Name)+1:]
			}
		}
		if rest == "" {
			return false
		}
	}
	c.rest, c.of = append(c.rest, npy.Named(f.Name)), f.DType
	return rest == "" || c.descend(rest)
}

// line returns column i of a table, or row i if lines run along axis 1.
func (s plotSource) line(i, axis int) *column {
	c := &column{Source: s.Source, ctx: s.ctx, of: s.DType(), length: s.Shape()[axis]}
	if axis == 1 {
		c.before = []npy.Index{npy.At(i)}
	} else {
		c.rest = []npy.Index{npy.At(i)}
	}
	return c
}

// pairs finds the coordinates in an array: the fields of records, the columns or rows of a table, or the elements.
func (c *Chart) pairs(s plotSource, kind string) ([]pair, error) {
	shape := s.Shape()
	t := s.DType()
	if a := c.options.Axis; a != NoAxis && (a < -len(shape) || a >= len(shape)) {
		return nil, fmt.Errorf("--axis %d is out of range for an array of %d dimensions", a, len(shape))
	}
	var pairs []pair
	var err error
	switch {
	case t.NumField() == 0 && !numeric(t):
		return nil, numbers.NotNumeric(t)
	case len(shape) == 0 || slices.Contains(shape, 0):
		return nil, fmt.Errorf("an array of shape %s cannot be drawn as a line", shapeText(s))
	case t.NumField() > 0:
		pairs, err = c.fieldPairs(s)
	case len(shape) == 1 && c.options.X == "" && c.options.Y == nil:
		pairs = []pair{{y: &column{Source: s.Source, ctx: s.ctx, of: t, length: shape[0]}}}
	case len(shape) == 1:
		_, err = s.named(c.options.X+strings.Join(c.options.Y, ","), 0)
	case len(shape) == 2:
		pairs, err = c.tablePairs(s, kind)
	default:
		err = fmt.Errorf("an array of shape %s cannot be drawn as lines or points; choose a part with an index, such as FILE[0, :]", shapeText(s))
	}
	if err != nil {
		return nil, err
	}
	for i := range pairs {
		if err := c.alongX(s, &pairs[i]); err != nil {
			return nil, err
		}
	}
	return realPairs(pairs, kind), nil
}

// alongX gives a pair the places of the array of SetX.
func (c *Chart) alongX(s plotSource, p *pair) error {
	if p.x != nil && !isReal(p.x.of) {
		return notOnX(p.x.of)
	}
	if c.along == nil {
		return nil
	}
	n := c.along.Shape()[0]
	if n != p.y.length {
		return fmt.Errorf("it has %d values for the %d of %s; y against x needs as many of both", p.y.length, n, c.alongName)
	}
	p.x, p.xName = &column{Source: c.along, ctx: s.ctx, of: c.along.DType(), length: n}, c.alongName
	return nil
}

// realPairs replaces complex numbers by their real and their imaginary parts: two series along the same x, or points of
// the complex plane.
func realPairs(pairs []pair, kind string) []pair {
	var all []pair
	for _, p := range pairs {
		if p.y.of.Kind() != dtype.KindComplex {
			all = append(all, p)
			continue
		}
		re, im := *p.y, *p.y
		re.component, im.component = realPart, imagPart
		name := func(part string) string { return strings.TrimSpace(p.yName + " " + part) }
		if kind == scatterPlot && p.x == nil {
			all = append(all, pair{&re, &im, name("real"), name("imaginary")})
			continue
		}
		all = append(all, pair{p.x, &re, p.xName, name("real")}, pair{p.x, &im, p.xName, name("imaginary")})
	}
	return all
}

// tablePairs draws each column as a line, or each row with --axis 1. Points of a table have the first column along x.
func (c *Chart) tablePairs(s plotSource, kind string) ([]pair, error) {
	axis, n := c.axis(), s.Shape()[1-c.axis()]
	x := -1
	if c.options.X == "" && c.options.Y == nil && c.along == nil && c.options.Axis == NoAxis && kind == scatterPlot && n > 1 {
		x = 0
	}
	chosen := all(n)
	if c.options.X != "" {
		if _, err := s.named(c.options.X, axis); err != nil {
			return nil, err
		}
		x, _ = strconv.Atoi(c.options.X)
		x = (x + n) % n
	}
	if c.options.Y != nil {
		chosen = nil
		for _, name := range c.options.Y {
			if _, err := s.named(name, axis); err != nil {
				return nil, err
			}
			i, _ := strconv.Atoi(name)
			chosen = append(chosen, (i+n)%n)
		}
	} else {
		chosen = slices.DeleteFunc(chosen, func(i int) bool { return i == x })
	}
	if len(chosen) > linesMax {
		return nil, fmt.Errorf("an array of shape %s is %d lines, more than %d; --kind heatmap shows them all, --y or --axis chooses others",
			shapeText(s), len(chosen), linesMax)
	}
	var pairs []pair
	for _, i := range chosen {
		p := pair{y: s.line(i, axis), yName: lineName(i, axis)}
		if x >= 0 {
			p.x, p.xName = s.line(x, axis), lineName(x, axis)
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

func lineName(i, axis int) string {
	if axis == 1 {
		return fmt.Sprintf("[%d]", i)
	}
	return fmt.Sprintf("[:, %d]", i)
}

// fieldPairs draws the fields that --y names along the field that --x names. By itself it uses the first field as x if it
// is a time or there are exactly two fields, and the index otherwise.
func (c *Chart) fieldPairs(s plotSource) ([]pair, error) {
	x, xName := (*column)(nil), c.options.X
	var err error
	if xName != "" {
		if x, err = s.field(xName); err != nil {
			return nil, err
		}
	}
	names := c.options.Y
	if names == nil {
		for _, f := range s.DType().Fields() {
			if numeric(f.DType) && f.Name != xName {
				names = append(names, f.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, errors.New("none of its fields are numbers; FILE['a']['b'] takes a field of a nested record")
	}
	var pairs []pair
	for _, name := range names {
		y, err := s.field(name)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair{y: y, yName: name})
	}
	if x == nil && c.along == nil {
		x, xName, pairs = firstAsX(s, pairs, c.options.Y == nil)
	}
	for i := range pairs {
		pairs[i].x, pairs[i].xName = x, xName
	}
	return pairs, nil
}

// firstAsX takes the first field as x, where it is a time or the first of two.
func firstAsX(s plotSource, pairs []pair, all bool) (x *column, name string, rest []pair) {
	f := s.DType().Field(0)
	switch {
	case all && (len(pairs) == 2 || len(pairs) > 2 && isTime(pairs[0].y.of)) && isReal(pairs[0].y.of):
		return pairs[0].y, pairs[0].yName, pairs[1:]
	case !all && isTime(f.DType) && !slices.ContainsFunc(pairs, func(p pair) bool { return p.yName == f.Name }):
		if x, err := s.field(f.Name); err == nil {
			return x, f.Name, pairs
		}
	}
	return nil, "", pairs
}
