package python2

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// TestToPython3 compares the tables of names with Python's pickle.
func TestToPython3(t *testing.T) {
	const script = `
import json, _compat_pickle as c
print(json.dumps([[[k, 'some_name'], [v, 'some_name']] for k, v in c.IMPORT_MAPPING.items()] + [[k, v] for k, v in c.NAME_MAPPING.items()]))`
	var rows [][2][2]string
	if err := json.Unmarshal(oracle.Python(t, script, nil), &rows); err != nil {
		t.Fatal(err)
	}
	rows = append(rows, [2][2]string{{"numpy", "ndarray"}, {"numpy", "ndarray"}})
	for _, row := range rows {
		if module, name := ToPython3(row[0][0], row[0][1]); module != row[1][0] || name != row[1][1] {
			t.Errorf("%s.%s becomes %s.%s, want %s.%s", row[0][0], row[0][1], module, name, row[1][0], row[1][1])
		}
	}
}

// TestFromPython3 compares the tables in the other direction.
func TestFromPython3(t *testing.T) {
	out := oracle.Python(t, `
import _compat_pickle as c
names = dict(c.REVERSE_NAME_MAPPING)
for module, old in c.REVERSE_IMPORT_MAPPING.items(): names.setdefault((module, 'name'), (old, 'name'))
for new, old in names.items(): print(*new, *old)
print('mod range mod range')
`, nil)
	for line := range strings.Lines(string(out)) {
		w := strings.Fields(line)
		if module, name := FromPython3(w[0], w[1]); module != w[2] || name != w[3] {
			t.Errorf("%s.%s becomes %s.%s, want %s.%s", w[0], w[1], module, name, w[2], w[3])
		}
	}
}
