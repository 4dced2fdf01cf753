package writing

import (
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/diag"
)

// Settings has the fields of hdf5.Encoder, which documents them.
type Settings struct {
	Store      bool
	Level      int
	Zstd       bool
	Workers    int
	Unlimited  bool
	UserBlock  []byte
	Terminated bool
	Sync       bool
	Lost       func(container.Loss)
}

// Check returns an error that names an invalid setting.
func (e Settings) Check() error {
	most := 9
	if e.Zstd {
		most = 22
	}
	n := len(e.UserBlock)
	switch {
	case e.Level < 0 || e.Level > most:
		return diag.Errorf("hdf5", "Level %d, and the levels are 1 to %d, or 0", e.Level, most)
	case e.Workers < 0:
		return diag.Errorf("hdf5", "Workers %d is negative", e.Workers)
	case n > 0 && (n < 512 || n&(n-1) != 0):
		return diag.Errorf("hdf5", "a user block of %d bytes, and its length must be 512 or a larger power of two", n)
	}
	return nil
}
