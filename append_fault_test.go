package npy

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

var errFault = errors.New("fault")

// A faultyFile fails at its n-th call, and at every later call if it stays broken. A write that fails has done half
// of its work.
type faultyFile struct {
	appendFile
	left   int
	broken bool
}

func (f *faultyFile) fault() bool {
	f.left--
	return f.left == 0 || f.left < 0 && f.broken
}

func (f *faultyFile) WriteAt(p []byte, at int64) (int, error) {
	if f.fault() {
		n := 0
		if at >= 128 || !f.broken { // after a lasting fault a header is written whole or not at all
			n, _ = f.appendFile.WriteAt(p[:len(p)/2], at)
		}
		return n, errFault
	}
	return f.appendFile.WriteAt(p, at)
}

func (f *faultyFile) Truncate(size int64) error {
	if f.fault() {
		return errFault
	}
	return f.appendFile.Truncate(size)
}

func (f *faultyFile) Sync() error {
	if f.fault() {
		return errFault
	}
	return f.appendFile.Sync()
}

// A fault at each system call, once or lasting, leaves a file that opens and has the acknowledged elements.
func TestAppendFaults(t *testing.T) {
	for n := range 15 {
		for _, broken := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "a.npy")
			if err := Save(path, []int64{0}); err != nil {
				t.Fatal(err)
			}
			a, err := OpenAppend(path)
			if err != nil {
				t.Fatal(err)
			}
			a.sync = true
			a.file = &faultyFile{a.file, n + 1, broken}
			acknowledged, failed := 1, false
			for i := range 3 {
				row := []int64{int64(i + 1), int64(i + 1), int64(i + 1)}
				if err := AppendRows(a, row); err == nil {
					acknowledged += 3
				} else if failed = true; !errors.Is(err, errFault) {
					t.Errorf("call %d: %v", n, err)
				}
			}
			if !failed {
				t.Errorf("call %d: no error", n)
			}
			a.Close()
			data, _, err := Load[int64](path)
			if err != nil || len(data) != acknowledged && len(data) != acknowledged+3 {
				t.Errorf("call %d, broken %v: %v, %v, of which %d are acknowledged", n, broken, data, err, acknowledged)
			}
			for i := 1; i < len(data); i++ {
				if i%3 != 1 && data[i] != data[i-1] || data[i] == 0 {
					t.Errorf("call %d, broken %v: a row in part: %v", n, broken, data)
				}
			}
			if info, err := os.Stat(path); err != nil || info.Size() < 136 {
				t.Errorf("call %d: %v", n, err)
			}
		}
	}
}
