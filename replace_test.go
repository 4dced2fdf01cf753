package npy_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
)

// A file is replaced whole or not at all, and nothing else stays in its folder.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	broken := errors.New("broken")
	for _, test := range []struct {
		text string
		err  error
		want string
	}{{"first", nil, "first"}, {"second", broken, "first"}, {"third", nil, "third"}} {
		err := npy.ReplaceFile(path, func(w io.Writer) error {
			if _, err := io.WriteString(w, test.text); err != nil {
				return err
			}
			return test.err
		})
		if err != test.err {
			t.Errorf("%s: error %v, want %v", test.text, err, test.err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != test.want {
			t.Errorf("%s: the file has %q, %v, want %q", test.text, got, err, test.want)
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(names) != 1 {
		t.Errorf("the folder has %q, %v", names, err)
	}
}

func ExampleReplaceFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "report.txt")
	err = npy.ReplaceFile(path, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "all is well")
		return err
	})
	if err != nil {
		panic(err)
	}
	text, err := os.ReadFile(path)
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// all is well
	// <nil>
}
