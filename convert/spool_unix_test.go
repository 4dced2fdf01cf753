//go:build unix

package convert_test

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/npygo/npy/convert"
)

// A watched is a pipe that lists a folder at each read.
type watched struct {
	r   io.Reader
	dir string
	t   *testing.T
}

func (w watched) Read(p []byte) (int, error) {
	if entries, err := os.ReadDir(w.dir); err != nil || len(entries) > 0 {
		w.t.Errorf("the folder for temporary files has %v, error %v", entries, err)
	}
	return w.r.Read(p)
}

// The temporary file of a text has no name, so that a process that is killed leaves nothing.
func TestKeptTextHasNoName(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	text := strings.Repeat("1.5,2\n", 200_000)
	a, _, err := convert.Read(context.Background(), watched{strings.NewReader(text), dir, t}, convert.CSV, convert.ReadOptions{Memory: 1000})
	if err != nil || a.Len() != 200_000 {
		t.Errorf("%v, %v", a, err)
	}
}
