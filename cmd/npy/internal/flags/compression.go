package flags

import (
	"fmt"
	"io"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

// Compression holds the flags for writing an archive.
type Compression struct {
	e     npz.Encoder
	align int
}

// Add adds the flags to a subcommand.
func (x *Compression) Add(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&x.e.Store, "store", false, "do not compress: members can be mapped into memory")
	f.IntVarP(&x.e.Level, "level", "l", 0, "compression `level` from 1 (fastest) to 9 (smallest), or to 22 with --zstd (0: chosen for each megabyte)")
	f.BoolVar(&x.e.Zstd, "zstd", false, "compress with Zstandard, which NumPy reads with Python 3.14 and later")
	f.IntVar(&x.align, "align", 0, "with --store, align elements to this many `bytes` (0: 64, negative: no alignment, as np.savez)")
}

// Encoder returns the settings, or an error that names the invalid one.
func (x *Compression) Encoder() (npz.Encoder, error) {
	x.e.Align = x.align
	_, err := x.e.NewWriter(io.Discard)
	if err != nil {
		return npz.Encoder{}, fmt.Errorf("--level, --align: %s", diagnose.Text(err))
	}
	if x.e.Store && (x.e.Zstd || x.e.Level != 0) {
		return npz.Encoder{}, fmt.Errorf("--store excludes --zstd and --level; give one")
	}
	return x.e, nil
}
