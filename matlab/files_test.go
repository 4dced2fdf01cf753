package matlab_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/matlab"
)

// fixtures returns the values of the files in testdata.
func fixtures(t testing.TB) map[string]map[string]expected {
	files := map[string]map[string]expected{}
	for _, name := range []string{"values.json", "values73.json"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &files); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestFiles(t *testing.T) {
	for name, want := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			m, err := matlab.Open(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			sameValues(t, m, want)
		})
	}
}
