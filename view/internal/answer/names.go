package answer

import (
	"math"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
)

// A naming returns the text of an element with the name that the file has for its value: "RED (0)".
type naming func(text string) string

// named returns the naming of the elements of the selection, or of a field of its records. It is nil if they have no names.
func (s *selection) named(field string) naming {
	if field == "" {
		field = s.field
	} else if s.field != "" {
		field = s.field + "." + field
	}
	m := s.open.Entries[s.e].Meaning
	for rest := field; rest != "" && m != nil; {
		name, after := rest, ""
		if m.Field(name) == nil {
			name, after, _ = strings.Cut(rest, ".")
		}
		m, rest = m.Field(name), after
	}
	if m != nil && len(m.Enum) > 0 {
		return namesOf(m.Enum)
	}
	if field != "" {
		return nil
	}
	return flagsOf(s.open.values(s.e))
}

// namesOf returns the naming of integers with names.
func namesOf(members []container.EnumMember) naming {
	names := make(map[int64]string, len(members))
	for _, m := range members {
		if _, ok := names[m.Value]; !ok {
			names[m.Value] = m.Name
		}
	}
	return func(text string) string {
		if v, ok := integerOf(text); ok && names[v] != "" {
			return names[v] + " (" + text + ")"
		}
		return text
	}
}

// flagsOf returns the naming of CF's flag_meanings: of the values that flag_values lists, of the bits of flag_masks, or of the values
// of some bits if there are both. It is nil if they do not fit each other.
func flagsOf(at map[string]*npy.Array) naming {
	words := strings.Fields(strings.Join(textsOf(at["flag_meanings"]), " "))
	values, masks := realsOf(at["flag_values"]), realsOf(at["flag_masks"])
	if len(words) == 0 || masks == nil && len(values) != len(words) || masks != nil && len(masks) != len(words) || values != nil && len(values) != len(words) {
		return nil
	}
	if masks == nil {
		members := make([]container.EnumMember, len(words))
		for i, word := range words {
			members[i] = container.EnumMember{Name: word, Value: int64(values[i])}
		}
		return namesOf(members)
	}
	return func(text string) string {
		v, ok := integerOf(text)
		if !ok {
			return text
		}
		var has []string
		for i, word := range words {
			mask := int64(masks[i])
			if values == nil && v&mask != 0 || values != nil && v&mask == int64(values[i]) {
				has = append(has, word)
			}
		}
		if len(has) == 0 {
			return text
		}
		return strings.Join(has, " | ") + " (" + text + ")"
	}
}

// integerOf reads the text of an element that is an integer, of uint64 the same bits.
func integerOf(text string) (int64, bool) {
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return v, true
	}
	if v, err := strconv.ParseUint(text, 10, 64); err == nil {
		return int64(v), true
	}
	v, err := strconv.ParseFloat(text, 64) // of an integer that became a float beside missing ones
	if err != nil || v != math.Trunc(v) || math.Abs(v) >= 1<<53 {
		return 0, false
	}
	return int64(v), true
}
