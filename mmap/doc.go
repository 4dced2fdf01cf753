// Package mmap maps .npy files into memory, as numpy.memmap and numpy.lib.format.open_memmap do. Elements are read on
// access, files may be larger than memory, and processes that map the same file share it.
//
//	f, err := mmap.Open("big.npy")
//	defer f.Close()
//	err = f.Do(func(a *npy.Array) error {
//		v, err := npy.As[float64](a)
//		…
//	})
//
// [Open] is for reading, [OpenRW] for changing the file, [OpenCopy] for changes that stay in this process. [Create]
// makes a file of zeros that takes no space on disk until it is written. It never touches an existing file.
//
// # What goes wrong with mapped memory
//
// Access to mapped memory can fail long after it was mapped: another process truncates the file, the disk is full, or
// the program writes to read-only memory or uses memory after Close. The system responds with a signal that ends the
// process.
//
// Within [File.Do] all of these are errors. Do keeps the mapping open until it returns, even if another goroutine
// calls [File.Close]. It turns faults in this file's memory, and no other panic, into a [*FaultError]. The functions
// of this module may be called within Do, whatever goroutines they use. A goroutine that work itself starts must call
// Do itself. [Load] reads within Do.
//
// [File.Array] and [ViewOf] return the memory without a guard, for programs that alone control their files. Memory
// must not be used after Close: access then ends the program. It never shows other data, because on Unix and Windows
// the addresses stay reserved: up to 16 TiB of closed files (256 MiB on 32 bits) and 4,096 of them, with the oldest
// released first. Builds with the tag purego do not reserve them.
//
// All methods may be called by several goroutines. Goroutines that write to the same elements must synchronise.
package mmap

// Reading the source. Open compares sizes, and internal/mapping maps the elements from the page before them on;
// npy.FromHeader lays an array over the memory. Create sizes and maps a file under a temporary name. Only then it
// gives it its name: by a link, which fails if the file exists, or by a rename if it may be replaced.
