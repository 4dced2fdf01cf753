package matlab_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/matlab"
)

// values reads files with SciPy.
func values(t *testing.T, paths ...string) map[string]json.RawMessage {
	script, err := os.ReadFile("testdata/values.py")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(oracle.Module(t, "scipy.io", string(script), paths...), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// SciPy's own test files, by many versions of MATLAB on many systems, where Debian's package has them.
func TestSciPysFiles(t *testing.T) {
	dir := string(oracle.Module(t, "scipy.io.matlab", "import os, scipy.io.matlab\nprint(os.path.join(os.path.dirname(scipy.io.matlab.__file__), 'tests', 'data'), end='')"))
	files, _ := filepath.Glob(filepath.Join(dir, "*.mat"))
	if len(files) == 0 {
		t.Skip("SciPy is installed without its tests")
	}
	for name, text := range values(t, dir) {
		t.Run(name, func(t *testing.T) {
			m, err := matlab.Open(filepath.Join(dir, name))
			var want map[string]expected
			if json.Unmarshal(text, &want) != nil { // SciPy fails
				if err == nil {
					m.Close()
				}
				t.Logf("SciPy: %s; here: %v", text, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			sameValues(t, m, want)
		})
	}
}
