package input

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy"
)

// Resolve finds the array that an argument names, and the index after the name. The name of an array may look like an
// index.
func (t Target) Resolve() (Target, error) {
	t, err := t.resolve()
	if err == nil && t.Container.IsGroup(t.Member) {
		return t, t.errGroup()
	}
	return t, err
}

// resolve is Resolve for arrays and groups.
func (t Target) resolve() (Target, error) {
	c := t.Container
	if path, ok := c.find(t.Member); ok {
		t.Member = path
		return t, nil
	}
	for i := strings.LastIndexByte(t.Member, '['); i > 0; i = strings.LastIndexByte(t.Member[:i], '[') {
		path, ok := c.find(t.Member[:i])
		if !ok {
			continue
		}
		text := t.Member[i:]
		if t.Index != nil {
			return t, fmt.Errorf("both %s and --slice name a part of the array; give one", text)
		}
		t.Member = path
		return t.withIndex(text)
	}
	return t, c.Unknown(t.Member)
}

// errGroup is the error for a group where one array is wanted.
func (t Target) errGroup() error {
	var within []string
	for _, name := range t.Container.Names() {
		if (Selection{group: t.Member}).Has(name) {
			within = append(within, name)
		}
	}
	if len(within) == 0 {
		return fmt.Errorf("%q is a group without arrays", t.Member)
	}
	return fmt.Errorf("%q is a group with %d arrays; name one: %s", t.Member, len(within), choice(t.Path, within))
}

// indexMember takes a name in brackets after a container for the name of an array, as in Python: FILE.npz["layer1/w"][0].
func (t Target) indexMember() (Target, error) {
	if t.Member != "" || len(t.Index) == 0 {
		return t, nil
	}
	name, ok := t.Index[0].Name()
	if !ok {
		return t, nil
	}
	rest := t.Sub
	for i, c := range []byte(t.Sub) {
		if first, err := npy.ParseIndex(t.Sub[:i+1]); c == ']' && err == nil && len(first) == 1 {
			rest = t.Sub[i+1:]
			break
		}
	}
	path, ok := t.Container.find(name)
	switch {
	case !ok:
		return t, t.Container.Unknown(name)
	case rest == t.Sub:
		return t, fmt.Errorf("the name of %s has brackets of its own: %s[%q][…]", article(t.Container.Noun()), t.Path, name)
	}
	t.Member, t.Index, t.Sub = path, nil, ""
	if rest == "" {
		return t, nil
	}
	return t.withIndex(rest)
}

// article returns a noun with its article.
func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// Only finds the array of a container that a target means: the named array, or else the only array.
func (t Target) Only() (Target, error) {
	s, t, one, err := t.Select()
	if err != nil || one {
		return t, err
	}
	var arrays []string
	for name := range t.Container.arrays() {
		if s.Has(name) {
			arrays = append(arrays, name)
		}
	}
	switch len(arrays) {
	case 0:
		return t, errors.New("it has no arrays")
	case 1:
		t.Member = arrays[0]
		return t, nil
	}
	return t, fmt.Errorf("it has %d arrays; name one: %s", len(arrays), choice(t.Path, arrays))
}

// A Selection is the part of a container that an argument names: all of it, the arrays that match a pattern, or the arrays of a group.
type Selection struct{ pattern, group string }

// All reports whether the selection is the whole container.
func (s Selection) All() bool { return s == Selection{} }

// Has reports whether an array or a group is selected.
func (s Selection) Has(path string) bool {
	if s.pattern != "" {
		return Matches(s.pattern, path)
	}
	return s.group == "" || path == s.group || strings.HasPrefix(path, s.group+"/")
}

// Pattern returns the pattern, or "".
func (s Selection) Pattern() string { return s.pattern }

// String returns the pattern or the group.
func (s Selection) String() string { return s.pattern + s.group }

// Select returns the part of its container that the target names: several arrays, with the same index of each, or with one
// set only the array that the result names.
func (t Target) Select() (s Selection, rest Target, one bool, err error) {
	if t.Member == "" {
		return s, t, false, nil
	}
	if _, ok := t.Container.find(t.Member); !ok && IsPattern(t.Member) {
		if s, t, err := t.cutPattern(); err != nil || s.pattern != "" {
			return s, t, false, err
		}
	}
	if t, err = t.resolve(); err != nil || !t.Container.IsGroup(t.Member) {
		return s, t, true, err
	}
	s.group, t.Member = t.Member, ""
	return s, t, false, nil
}

// cutPattern separates the pattern in a target from the index after it, as in layer*[0]. There is none if the * or ? is in
// the name of a field.
func (t Target) cutPattern() (s Selection, rest Target, err error) {
	s.pattern = t.Member
	if i := strings.IndexByte(s.pattern, '['); i > 0 && t.hasIndex(i) {
		if rest, err = t.withIndex(s.pattern[i:]); err != nil {
			return s, t, err
		}
		if !IsPattern(s.pattern[:i]) {
			return Selection{}, t, nil
		}
		s.pattern, t = s.pattern[:i], rest
	}
	if t.Container.NPZ() == nil {
		s.pattern = strings.TrimPrefix(s.pattern, "/")
	}
	t.Member = ""
	return s, t, nil
}

// hasIndex reports whether the bracket at byte i of the member, a pattern, begins an index. Text after the index makes it wrong,
// unless it is all a pattern of names with brackets, as *[0].weight.
func (t Target) hasIndex(i int) bool {
	if strings.HasSuffix(t.Member, "]") {
		return true
	}
	if !strings.Contains(t.Member[i:], "]") || !IsPattern(t.Member[:i]) {
		return false
	}
	for name := range t.Container.arrays() {
		if Matches(t.Member, name) {
			return false
		}
	}
	return true
}
