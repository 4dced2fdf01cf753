//go:build unix

package npz_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// An archive is truncated while a member is mapped: within Do this is an error. The test runs in a process of its
// own, so that a crash can be observed.
func TestMappedTruncated(t *testing.T) {
	if oracle.Emulated {
		t.Skip("the emulator has signals of its own")
	}
	const alone = "NPZ_TEST_MAPPED"
	if os.Getenv(alone) == "" {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestMappedTruncated$")
		cmd.Env = append(os.Environ(), alone+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	path := abc(t, npz.Encoder{Store: true})
	z := must(npz.Open(path))
	defer z.Close()
	m := must(z.Map("b"))
	sum := func(a *npy.Array) error {
		v, err := npy.As[int32](a)
		if err == nil && v.At(0) != 2<<16 {
			t.Errorf("the first element is %d", v.At(0))
		}
		for range v.Values() {
		}
		return err
	}
	if err := m.Do(sum); err != nil {
		t.Errorf("while it is whole: %v", err)
	}
	if err := os.Truncate(path, 2_000_000); err != nil {
		t.Fatal(err)
	}
	var located *npz.Error
	if err := m.Do(sum); !errors.Is(err, npz.ErrTruncated) || !errors.As(err, &located) || located.Member != "b.npy" || located.Offset/4096 != 2_000_000/4096+1 && located.Offset != 2_000_000 {
		t.Errorf("cut short: error %v, want %v in b.npy at byte 2000000 or on the page after it", err, npz.ErrTruncated)
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	if err := m.Do(sum); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("closed: error %v, want %v", err, fs.ErrClosed)
	}
}
