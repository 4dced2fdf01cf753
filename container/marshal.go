package container

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/npygo/npy/internal/diag"
)

// MarshalJSON implements [json.Marshaler]. Err is its text.
func (e Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	return json.Marshal(struct {
		plain
		Err *string
	}{plain(e), errText(e.Err)})
}

// MarshalJSON implements [json.Marshaler]. Err is its text.
func (a Attribute) MarshalJSON() ([]byte, error) {
	type plain Attribute
	return json.Marshal(struct {
		plain
		Err *string
	}{plain(a), errText(a.Err)})
}

// featureNames are the texts of features, by their bits.
var featureNames = []string{"attributes", "names of dimensions", "dimension scales", "maximum shapes", "fill values", "checksums", "null dataspaces", "enums", "object references", "region references", "character sets", "links", "dimensions of characters", "empty groups", "Fortran order"}

// String returns the names of the features: "attributes, links".
func (f Feature) String() string {
	var names []string
	for i, name := range featureNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// MarshalText implements [encoding.TextMarshaler].
func (f Feature) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads the names of features, separated by commas. An error leaves f as it was.
func (f *Feature) UnmarshalText(text []byte) error {
	var all Feature
	if len(text) > 0 {
		for name := range strings.SplitSeq(string(text), ", ") {
			i := slices.Index(featureNames, name)
			if i < 0 {
				return diag.Errorf("container", "%.40q is not a feature of entries", name)
			}
			all |= 1 << i
		}
	}
	*f = all
	return nil
}

// errText returns the text of an error, or nil.
func errText(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}
