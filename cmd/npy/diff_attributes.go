package main

import (
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/results"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
)

// describes reports whether both targets are in files that can have a feature, and are compared by it.
func (d *differ) describes(a, b input.Target, f container.Feature) bool {
	return !d.ignoreAttributes && a.Container != nil && b.Container != nil && a.Index == nil && b.Index == nil && a.Container.Kind.Has&b.Container.Kind.Has&f != 0
}

// described returns how two entries differ in their attributes, and in the names of enums.
func (d *differ) described(a, b input.Target) ([]diff.Change, error) {
	var changes []diff.Change
	if d.describes(a, b, container.Attributes) {
		inA, err := a.Container.Attributes(a.Member)
		if err != nil {
			return nil, diagnose.Of(a.Name(), err)
		}
		inB, err := b.Container.Attributes(b.Member)
		if err != nil {
			return nil, diagnose.Of(b.Name(), err)
		}
		changes = d.attributes(inA, inB)
	}
	if d.describes(a, b, container.EnumNames) {
		x, errA := a.Container.Entry(a.Member)
		y, errB := b.Container.Entry(b.Member)
		if enumA, enumB := enumText(x.Meaning), enumText(y.Meaning); errA == nil && errB == nil && enumA != enumB {
			changes = append(changes, diff.Change{What: "enum", A: enumA, B: enumB})
		}
	}
	return changes, nil
}

// enumText returns the names of an enum in the order of their values, whatever the order in the file.
func enumText(m *container.Meaning) string {
	if !m.HasEnum() {
		return "none"
	}
	return m.Sorted().String()
}

// attributes returns how two lists of attributes differ, by name.
func (d *differ) attributes(a, b []container.Attribute) []diff.Change {
	var changes []diff.Change
	find := func(list []container.Attribute, name string) *container.Attribute {
		if i := slices.IndexFunc(list, func(x container.Attribute) bool { return x.Name == name }); i >= 0 {
			return &list[i]
		}
		return nil
	}
	for i := range a {
		x, y := &a[i], find(b, a[i].Name)
		if y == nil || !d.sameAttribute(x, y) {
			changes = append(changes, diff.Change{What: "@" + x.Name, A: changedText(x), B: changedText(y)})
		}
	}
	for i := range b {
		if find(a, b[i].Name) == nil {
			changes = append(changes, diff.Change{What: "@" + b[i].Name, A: "missing", B: changedText(&b[i])})
		}
	}
	return changes
}

// changedText returns the value of an attribute, for people.
func changedText(a *container.Attribute) string {
	switch {
	case a == nil:
		return "missing"
	case a.Err != nil:
		return "unreadable: " + diagnose.Text(a.Err)
	}
	text := attributeText(*a)
	if a.Meaning.HasEnum() {
		text += " (" + enumText(a.Meaning) + ")"
	}
	return text
}

// sameAttribute reports whether two attributes have the same values, of any dtype. Formats differ in whether a single value has an
// axis, and in their kinds of text.
func (d *differ) sameAttribute(a, b *container.Attribute) bool {
	if a.Err != nil || b.Err != nil {
		return a.Err != nil && b.Err != nil
	}
	if a.Null != b.Null && a.Value.Size()+b.Value.Size() > 0 || enumText(a.Meaning) != enumText(b.Meaning) {
		return false
	}
	x, y := single(a.Value), single(b.Value)
	if textA, ok := textsOf(x); ok {
		textB, ok := textsOf(y)
		return ok && slices.Equal(x.Shape(), y.Shape()) && slices.Equal(textA, textB)
	}
	o := d.Options
	o.IgnoreDType = true
	r, err := diff.Compare(d.ctx, x, y, o)
	return err == nil && r.Equal()
}

// single returns an array of one element without axes.
func single(a *npy.Array) *npy.Array {
	if a.Size() == 1 && !a.DType().HasObject() {
		if one, err := a.Reshape([]int{}...); err == nil {
			return one
		}
	}
	if a.Size() == 1 && a.NDim() == 1 {
		if one, err := a.Slice(npy.At(0)); err == nil {
			return one
		}
	}
	return a
}

// textsOf returns the elements of an array of text.
func textsOf(a *npy.Array) ([]string, bool) {
	switch a.DType().Kind() {
	case dtype.KindBytes, dtype.KindStr:
		v, err := npy.As[string](a)
		if err != nil {
			return nil, false
		}
		return v.ToSlice(), true
	case dtype.KindObject:
		objects, err := a.Objects()
		if err != nil {
			return nil, false
		}
		texts := make([]string, len(objects))
		for i, x := range objects {
			text, ok := x.(string)
			if !ok {
				return nil, false
			}
			texts[i] = text
		}
		return texts, true
	}
	return nil, false
}

// groups compares the attributes of the root and of the groups that both files have.
func (d *differ) groups(a, b side) error {
	if !d.describes(a.Target, b.Target, container.Attributes) {
		return nil
	}
	inB := map[string]bool{}
	for _, name := range b.groupNames() {
		inB[name] = true
	}
	for _, name := range a.groupNames() {
		if !inB[name] {
			continue
		}
		x, y := a.array(name), b.array(name)
		if name == "" {
			x.Member, y.Member = strings.TrimSuffix(a.within, "/"), strings.TrimSuffix(b.within, "/")
		}
		changes, err := d.described(x, y)
		if err := d.told(err); err != nil {
			return err
		}
		if len(changes) == 0 {
			continue
		}
		d.failed = true
		if err := d.print(results.Comparison{A: x, B: y, Result: &diff.Result{Changed: changes}}); err != nil {
			return err
		}
	}
	return nil
}

// groupNames returns the paths of all groups within the group that is compared, and "" for itself.
func (s side) groupNames() []string {
	names := []string{""}
	for e := range s.Container.Entries() {
		if name, ok := strings.CutPrefix(e.Path, s.within); ok && e.Group && e.Err == nil {
			names = append(names, name)
		}
	}
	return names
}
