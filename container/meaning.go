package container

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Meaning says what elements mean beyond their dtype. nil stands for no further meaning.
type Meaning struct {
	Enum      []EnumMember        // the names of integers
	Reference Reference           // targets of texts of dtype |O
	Charset   Charset             // of text, where the dtype leaves a choice: UTF-8 of dtype S, ASCII of dtype |O
	Fields    map[string]*Meaning // of a struct, by name; fields without a meaning are not there
}

// An EnumMember is an integer with a name.
type EnumMember struct {
	Name  string // as the file has it: "RED"
	Value int64  // of dtype uint64, the same bits
}

// A Reference is a kind of references to entries of the same file. The elements are the paths of the entries, "/group/data", of
// dtype |O, and None for null references.
type Reference string

// The kinds of references.
const (
	ObjectReference Reference = "object"
	RegionReference Reference = "region" // to some elements of an array; the elements have the path alone
)

// A Charset is a character set of text.
type Charset string

// The character sets of HDF5. Without a Charset, text of dtype S is ASCII and text of dtype |O is UTF-8.
const (
	ASCII Charset = "ASCII"
	UTF8  Charset = "UTF-8"
)

// IsZero reports whether m says nothing.
func (m *Meaning) IsZero() bool {
	return m == nil || len(m.Enum) == 0 && m.Reference == "" && m.Charset == "" && len(m.Fields) == 0
}

// Field returns the meaning of a field of a struct, or nil.
func (m *Meaning) Field(name string) *Meaning {
	if m == nil {
		return nil
	}
	return m.Fields[name]
}

// any reports whether f holds for m or for the meaning of a field.
func (m *Meaning) any(f func(m *Meaning) bool) bool {
	if m == nil {
		return false
	}
	if f(m) {
		return true
	}
	for _, field := range m.Fields {
		if field.any(f) {
			return true
		}
	}
	return false
}

// Refers reports whether elements, or fields of them, are references of a kind.
func (m *Meaning) Refers(kind Reference) bool {
	return m.any(func(m *Meaning) bool { return m.Reference == kind })
}

// HasUTF8 reports whether elements of dtype S, or fields of it, are text in UTF-8.
func (m *Meaning) HasUTF8() bool { return m.any(func(m *Meaning) bool { return m.Charset == UTF8 }) }

// HasEnum reports whether elements, or fields of them, are integers with names.
func (m *Meaning) HasEnum() bool { return m.any(func(m *Meaning) bool { return len(m.Enum) > 0 }) }

// String returns the names of enums for people: "RED=0, GREEN=1", and "field: RED=0" for fields.
func (m *Meaning) String() string {
	if m == nil {
		return ""
	}
	var parts []string
	for _, e := range m.Enum {
		parts = append(parts, fmt.Sprintf("%s=%d", e.Name, e.Value))
	}
	if m.Reference != "" {
		parts = append(parts, string(m.Reference)+" references")
	}
	for _, name := range m.fieldNames() {
		if text := m.Fields[name].String(); text != "" {
			parts = append(parts, name+": "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// Sorted returns m with the names of each enum in the order of their values.
func (m *Meaning) Sorted() *Meaning {
	if m == nil {
		return nil
	}
	s := &Meaning{Enum: slices.Clone(m.Enum), Reference: m.Reference, Charset: m.Charset}
	slices.SortStableFunc(s.Enum, func(a, b EnumMember) int { return cmp.Compare(a.Value, b.Value) })
	for name, field := range m.Fields {
		if s.Fields == nil {
			s.Fields = map[string]*Meaning{}
		}
		s.Fields[name] = field.Sorted()
	}
	return s
}

func (m *Meaning) fieldNames() []string {
	var names []string
	for name := range m.Fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
