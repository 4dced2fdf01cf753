// Package mmap lays arrays over .npy files, as numpy.memmap and numpy.lib.format.open_memmap do: nothing is read before
// it is looked at, files may be larger than memory, and processes that map the same file share it.
//
//	f, err := mmap.Open("big.npy")
//	defer f.Close()
//	err = f.Do(func(a *npy.Array) error {
//		v, err := npy.As[float64](a)
//		…
//	})
//
// [Open] is for reading, [OpenRW] for changing the file, [OpenCopy] for changes that stay in this process. [Create]
// makes a file of zeros that takes no space on disk before it is filled. It never touches a file that is there.
//
// # What goes wrong with mapped memory
//
// Memory that is mapped can fail long after it was opened: somebody cuts the file short, the disk is full, the program
// writes to what is read-only, or goes on after Close. The system answers with a signal that ends the process.
//
// Within [File.Do] all of these are errors. It keeps the mapping open until it returns, even if another goroutine calls
// [File.Close], and turns faults in this file's memory, and no other panic, into a [*FaultError]. The functions of this
// module may be called within Do whatever goroutines they use. One that work itself starts needs a Do of its own. [Load]
// reads within Do.
//
// [File.Array] and [ViewOf] give the memory without a guard, for programs whose files are theirs alone. What is still held
// after Close is out of bounds: touching it ends the program. It never shows other memory, because on Unix and Windows
// the addresses stay reserved: up to 16 TiB of closed files (256 MiB on 32 bits) and 4,096 of them, the oldest given
// back first. Builds with the tag purego do not reserve them.
//
// All methods may be called by several goroutines. Those that write to the same elements have to agree among themselves.
package mmap
