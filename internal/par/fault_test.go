package par_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/npygo/npy/internal/mapping"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/internal/par"
)

// cutShort maps a file and then truncates it.
func cutShort(t *testing.T) *mapping.Mapping {
	t.Helper()
	if oracle.Emulated {
		t.Skip("the emulator has signals of its own")
	}
	if runtime.GOARCH == "s390x" {
		t.Skip("the emulator has signals of its own")
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := mapping.Open(f, path, 0, 1<<16, mapping.ReadOnly)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { m.Close() })
	if err := os.Truncate(path, 0); err != nil {
		t.Skip("this system does not cut short what is mapped:", err)
	}
	return m
}

// A memory fault on any goroutine reaches a caller that guards itself.
func TestFault(t *testing.T) {
	m := cutShort(t)
	everyWay(t, func(t *testing.T, _ bool, _ int, way way) {
		err := m.Do(func() error {
			return way(t.Context(), 100, func(i int) error {
				if i == 90 && m.Bytes()[5] != 0 {
					return errItem
				}
				return nil
			}, func(int) {})
		})
		if !errors.Is(err, mapping.ErrTruncated) {
			t.Errorf("error %v, want %v", err, mapping.ErrTruncated)
		}
	})
}

// The fault of an iterator reaches the caller of next, also after the iterator has returned items.
func TestFaultWhilePulled(t *testing.T) {
	m := cutShort(t)
	for at := range 3 {
		given := 0
		err := m.Do(func() error {
			next, stop := par.Pull2(func(yield func(int, byte) bool) {
				for i := 0; i < at; i++ {
					if !yield(i, 0) {
						return
					}
				}
				yield(at, m.Bytes()[5])
			})
			defer stop()
			for _, _, ok := next(); ok; _, _, ok = next() {
				given++
			}
			return nil
		})
		if !errors.Is(err, mapping.ErrTruncated) || given != at {
			t.Errorf("error %v after %d values, want %v after %d", err, given, mapping.ErrTruncated, at)
		}
	}
}
