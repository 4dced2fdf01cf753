package main

import (
	"os"
	"sync"
)

// A limit is the least time in which the machine can do the work of a row: it moves the same bytes once, into memory
// that has been touched before, with one thread and with two.
type limit struct {
	name    string
	threads int          // threads to measure: 1 or 2
	setup   func() error // may be nil
	move    func(threads int) error
}

// work returns the limit for a number of threads.
func (l *limit) work(threads int) work {
	return func() (any, error) { return nil, l.move(threads) }
}

// pread reads the data of a file, opened and closed each time. Two threads pay only for large files.
func (c *corpus) pread(name string) *limit {
	l := &limit{name: "pread", threads: 2}
	var dst []byte
	l.setup = func() error {
		info, err := os.Stat(c.path(name))
		if err != nil {
			return err
		}
		dst = touched(info.Size())
		if len(dst) < 2<<20 {
			l.threads = 1
		}
		return nil
	}
	l.move = func(threads int) error {
		f, err := os.Open(c.path(name))
		if err != nil {
			return err
		}
		defer f.Close()
		return inParts(len(dst), threads, func(low, high int) error {
			_, err := f.ReadAt(dst[low:high], int64(low))
			return err
		})
	}
	return l
}

// preadAll reads small files, one after another.
func (c *corpus) preadAll(paths []string) *limit {
	return &limit{
		name: "open, read, close", threads: 2,
		move: func(threads int) error {
			return inParts(len(paths), threads, func(low, high int) error {
				buf := make([]byte, 4<<10)
				for _, path := range paths[low:high] {
					if err := readInto(buf, path); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

func readInto(buf []byte, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Read(buf)
	return err
}

// memcpy copies n bytes from memory to memory.
func memcpy(bytes int64) *limit {
	var src, dst []byte
	return &limit{
		name: "memcpy", threads: 2,
		setup: func() error {
			src, dst = touched(bytes), touched(bytes)
			return nil
		},
		move: func(threads int) error {
			return inParts(len(dst), threads, func(low, high int) error {
				copy(dst[low:high], src[low:high])
				return nil
			})
		},
	}
}

// pwrite overwrites bytes of a file in the page cache. Writing a new file takes longer.
func (c *corpus) pwrite(bytes int64) *limit {
	const name = "written.bin"
	var src []byte
	return &limit{
		name: "pwrite", threads: 2,
		setup: func() error {
			src = touched(bytes)
			return os.WriteFile(c.path(name), src, 0o666)
		},
		move: func(threads int) error {
			f, err := os.OpenFile(c.path(name), os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			return inParts(len(src), threads, func(low, high int) error {
				_, err := f.WriteAt(src[low:high], int64(low))
				return err
			})
		},
	}
}

// touched returns memory in which every page has been written. The kernel reads unwritten pages from a single page of
// zeros.
func touched(n int64) []byte {
	b := make([]byte, n)
	for i := 0; i < len(b); i += 4 << 10 {
		b[i] = 1
	}
	return b
}

// inParts calls do for consecutive parts of 0 to n, in parallel.
func inParts(n, parts int, do func(low, high int) error) error {
	errs := make([]error, parts)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { errs[i] = do(i*n/parts, (i+1)*n/parts) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
