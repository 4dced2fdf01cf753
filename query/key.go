package query

import (
	"strings"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A Key is a value of each row by which rows are ordered or grouped.
type Key struct {
	// Field is the name of a field of records, dotted if nested: "mag", "pos.x". A name with dots of its own is found
	// as well. A subarray compares item by item, and a struct field by field. For a plain array of one dimension it is
	// "" or "x", for one of two dimensions the number of a column: "3", or "-1" for the last.
	Field string

	// Descending puts the largest value first. NaN and NaT stay last.
	Descending bool
}

// ParseKeys reads the keys of a list such as "-mag,pos.x". A minus sign means Descending.
func ParseKeys(text string) ([]Key, error) {
	var keys []Key
	for name := range strings.SplitSeq(text, ",") {
		name, descending := strings.CutPrefix(strings.TrimSpace(name), "-")
		if name == "" {
			return nil, diag.Errorf("query", "keys %q: a name is missing; want FIELD[,-FIELD]", text)
		}
		keys = append(keys, Key{Field: name, Descending: descending})
	}
	return keys, nil
}

// sortKeys returns keys for the packages below. nil stays nil.
func sortKeys(keys []Key) []sortkey.Key {
	if keys == nil {
		return nil
	}
	out := make([]sortkey.Key, len(keys))
	for i, k := range keys {
		out[i] = sortkey.Key(k)
	}
	return out
}
