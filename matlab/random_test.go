package matlab_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/matlab"
)

// Random variables that SciPy writes, of all classes, nested, compressed and not, are read as SciPy reads them. Copies of the
// files that this package writes are the same to SciPy.
func TestRandomAsSciPy(t *testing.T) {
	folder, copies := t.TempDir(), t.TempDir()
	n := oracle.Cases(t, 150)
	script := strings.Split(string(must(os.ReadFile("testdata/values.py"))), "if __name__")[0] + string(must(os.ReadFile("testdata/random.py")))
	var want map[string]map[string]expected
	if err := json.Unmarshal(oracle.Module(t, "scipy.io", script, folder, fmt.Sprint(n), "16"), &want); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for i := range n {
		name := fmt.Sprintf("%d.mat", i)
		m, err := matlab.Open(filepath.Join(folder, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) { sameValues(t, m, want[name]) })
		path := filepath.Join(copies, name)
		err = matlab.Format(matlab.Decoder{}, matlab.Encoder{}).Create(path, container.WriteOptions{Store: i%2 == 0}, func(w container.Writer) error { return container.Copy(context.Background(), w, m, nil) })
		m.Close()
		if err != nil {
			t.Errorf("copying %s: %v", name, err)
			continue
		}
		paths = append(paths, path)
	}
	for name, text := range values(t, paths...) {
		var got map[string]expected
		if err := json.Unmarshal(text, &got); err != nil {
			t.Errorf("SciPy does not read the copy %s: %s", name, text)
			continue
		}
		for path, x := range want[name] {
			if fmt.Sprint(got[path]) != fmt.Sprint(x) {
				t.Errorf("%s: the copy has %s as %v, want %v", name, path, got[path], x)
			}
		}
	}
}
