package tableread

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/internal/elem"
)

// indexName is the name of a first column without one, which is the index of a pandas.DataFrame.
const indexName = "index"

// fieldNames returns the names of the fields of an inferred dtype. A missing name becomes index for the first column and
// f2 for column 2, as NumPy names fields. Of two columns named a, the second becomes a_1. header tells whether the first row holds names.
func (t *table) fieldNames(header bool, note func(format string, args ...any)) ([]string, error) {
	names := make([]string, len(t.first))
	used := make(map[string]bool, len(names))
	for i, c := range t.first {
		if !header {
			break
		}
		names[i] = c.name()
		if !utf8.ValidString(names[i]) {
			return nil, &fault.Error{Line: c.line, Column: i + 1, Err: fmt.Errorf("name %s is not UTF-8; %s", elem.Quote(names[i]), fault.GiveEncoding)}
		}
		if names[i] != "" {
			used[names[i]] = true
		}
	}
	taken := make(map[string]int, len(names)) // by name, the last number that was tried
	for i, name := range names {
		whole := name
		switch {
		case name == "" && i == 0 && header && len(names) > 1:
			whole = indexName
		case name == "":
			whole = "f" + strconv.Itoa(i)
		}
		if _, again := taken[whole]; again || name == "" && used[whole] {
			n := taken[whole]
			for {
				n++
				if names[i] = whole + "_" + strconv.Itoa(n); !used[names[i]] {
					break
				}
			}
			taken[whole] = n
			if name != "" {
				note("column %d: the name %s is there before, so it becomes %s", i+1, elem.Quote(name), elem.Quote(names[i]))
			}
		} else {
			names[i], taken[whole] = whole, 0
		}
		used[names[i]] = true
	}
	return names, nil
}

// maxNotes is the number of notes of a kind after which no more are kept.
const maxNotes = 5

// note adds a note to the report.
func (t *table) note(format string, args ...any) {
	switch n := len(t.report.Notes); {
	case n < maxNotes:
		t.report.Notes = append(t.report.Notes, fmt.Sprintf(format, args...))
	case n == maxNotes:
		t.report.Notes = append(t.report.Notes, "and more of this kind")
	}
}
