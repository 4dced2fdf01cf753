package writing

import (
	"fmt"

	"github.com/npygo/npy/container"
)

// Settings has the fields of hdf5.Encoder.
type Settings struct {
	Store   bool // no compression: arrays are contiguous unless they have a chunk shape or can grow
	Level   int  // of gzip or Zstandard, 1 to 9 (22 for Zstandard); 0 chooses a level for the data
	Zstd    bool // compresses with Zstandard, the registered filter 32015, which readers need a plugin for
	Workers int  // goroutines that compress; 0 for the limit of [npy.SetWorkers]

	// Unlimited lets the first axis of every array grow, for [OpenAppend] and other programs.
	Unlimited bool

	// UserBlock is written before all HDF5 data. Its length is 512 or a larger power of two.
	UserBlock []byte

	// Terminated marks text of dtype S in attributes as ending with a NUL, or with its size, as MATLAB does. Without it the
	// text is padded with NULs, as h5py does. The bytes are the same, but libmatio finds no class in padded text.
	Terminated bool

	// Sync makes Close return when the data is on disk.
	Sync bool

	// Lost is called with the properties of a written entry that the file cannot hold. An attribute that HDF5 cannot hold is then left
	// out. Without Lost such an attribute is an error, and other losses are not reported.
	Lost func(container.Loss) `json:"-"`
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
		return fmt.Errorf("hdf5: Level %d, and the levels are 1 to %d, or 0", e.Level, most)
	case e.Workers < 0:
		return fmt.Errorf("hdf5: Workers %d is negative", e.Workers)
	case n > 0 && (n < 512 || n&(n-1) != 0):
		return fmt.Errorf("hdf5: a user block of %d bytes, and its length must be 512 or a larger power of two", n)
	}
	return nil
}
