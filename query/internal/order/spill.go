package order

import (
	"os"
	"path/filepath"

	"github.com/npygo/npy/internal/atomicfile"
)

// A spill is a temporary file with sorted runs of rows. It is removed when it is closed, when the program ends at a
// signal, and when it is abandoned: the next spill of the same path finds it.
type spill struct {
	f    *atomicfile.File
	end  int64
	runs []run
}

// A run is a part of a spill, in bytes.
type run struct{ start, end int64 }

// newSpill makes a spill next to a path.
func newSpill(path string) (*spill, error) {
	if info, err := os.Stat(path); path == "" || err == nil && !info.Mode().IsRegular() {
		path = filepath.Join(os.TempDir(), "npy-sort")
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	return &spill{f: f}, nil
}

func (s *spill) close() { s.f.Abort() }

// begin starts a run.
func (s *spill) begin() { s.runs = append(s.runs, run{s.end, s.end}) }

// write appends rows to the last run.
func (s *spill) write(rows []byte) error {
	n, err := s.f.Write(rows)
	s.end += int64(n)
	s.runs[len(s.runs)-1].end = s.end
	return err
}
