package npz

import (
	"maps"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/zipfile"
)

// An Encoder writes archives with settings of the caller's choice. [Create], [NewWriter] and [Save] use the zero
// Encoder: it compresses with deflate, which every NumPy reads. An Encoder may be used by several goroutines.
//
// The bytes of an archive depend on its contents and the settings, but not on Workers or the machine.
type Encoder struct {
	// Store writes members without compression, as np.savez does. They can be mapped into memory.
	Store bool

	// Zstd compresses with Zstandard, smaller and faster. NumPy reads it from Python 3.14 on.
	Zstd bool

	// Level is the level of compression: 1 (fastest) to 9 (smallest), or up to 22 with Zstd. 0 chooses a level for
	// every megabyte: numbers without repetitions are not searched for them.
	Level int

	// Align is the alignment of the elements of stored arrays in the file, in bytes: a power of two up to 32768. 0
	// stands for 64, the alignment of .npy files; a negative number for none, which gives the bytes of np.savez.
	Align int

	// Workers is the number of goroutines that compress at once. Each holds a few megabytes. 0 stands for the limit
	// of [npy.SetWorkers]: [runtime.GOMAXPROCS] unless it was called.
	Workers int

	// Array has the settings for the arrays in the archive. Its Sync makes Close return only when a file is on disk and
	// would survive a power failure.
	Array npy.Encoder
}

// Save writes an archive with the members in the given order, np.savez_compressed. Path is never seen half-written,
// and after an error an old file is unchanged.
func Save(path string, members ...Member) error { return Encoder{}.Save(path, members...) }

// SaveMap is [Save] of arrays by their names, in the order of the names.
func SaveMap(path string, arrays map[string]*npy.Array) error { return Encoder{}.SaveMap(path, arrays) }

// Save is the function of the same name with the settings of e.
func (e Encoder) Save(path string, members ...Member) error {
	w, err := e.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, m := range members {
		if err := m.addTo(w); err != nil {
			return err
		}
	}
	return w.Close()
}

func (m Member) addTo(w *Writer) error {
	switch {
	case m.Array != nil:
		return w.Add(m.Name, m.Array)
	case m.Bytes != nil:
		return w.AddBytes(m.Name, m.Bytes)
	}
	return diag.Errorf("npz", "member %q has neither Array nor Bytes", m.Name)
}

// SaveMap is the function of the same name with the settings of e.
func (e Encoder) SaveMap(path string, arrays map[string]*npy.Array) error {
	members := make([]Member, 0, len(arrays))
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		members = append(members, Member{Name: name, Array: arrays[name]})
	}
	return e.Save(path, members...)
}

// check returns an error for invalid settings.
func (e Encoder) check() error {
	highest := 9
	if e.Zstd {
		highest = 22
	}
	switch {
	case e.Store && e.Zstd:
		return diag.Errorf("npz", "Store and Zstd exclude each other")
	case e.Level < 0 || e.Level > highest:
		return diag.Errorf("npz", "Level is %d, want 1 to %d, or 0 for the default", e.Level, highest)
	case e.Align > zipfile.MaxAlign || e.Align > 0 && e.Align&(e.Align-1) != 0:
		return diag.Errorf("npz", "Align is %d, want a power of two up to %d", e.Align, zipfile.MaxAlign)
	}
	return nil
}

func (e Encoder) method() uint16 {
	switch {
	case e.Store:
		return zipfile.Store
	case e.Zstd:
		return zipfile.Zstd
	}
	return zipfile.Deflate
}

// align returns the alignment of members. It is 0, for none, unless they are stored: compressed data cannot be used in
// place.
func (e Encoder) align() int {
	switch {
	case !e.Store || e.Align < 0:
		return 0
	case e.Align == 0:
		return 64
	}
	return e.Align
}

func (e Encoder) workers() int {
	if e.Workers > 0 {
		return e.Workers
	}
	return par.Workers()
}

// codec returns a function that makes codecs for pieces, or nil if there is no compression.
func (e Encoder) codec() func() codec {
	switch {
	case e.Store:
		return nil
	case e.Zstd:
		return func() codec {
			z, _ := zstd.NewWriter(nil, e.zstdOptions(1)...) // the options are valid
			return func(dst, raw []byte, _ bool) []byte { return z.EncodeAll(raw, dst) }
		}
	}
	return func() codec { return deflate.NewCompressor(e.Level).Append }
}

// zstdOptions returns the settings of Zstandard, without its checksum: the archive has a CRC of its own.
func (e Encoder) zstdOptions(workers int) []zstd.EOption {
	level := zstd.SpeedDefault
	if e.Level > 0 {
		level = zstd.EncoderLevelFromZstd(e.Level)
	}
	return []zstd.EOption{zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(workers)}
}
