// Package spool keeps data that is written once and then read at any offset: in memory, and in a temporary file if it is
// long.
package spool

import (
	"cmp"
	"io"
	"os"
)

// maxMemory is the default number of bytes that a Spool holds in memory.
const maxMemory = 32 << 20

// A Spool is data that is written once and then read at any offset. The zero Spool is empty.
type Spool struct {
	Memory int64 // bytes held in memory; 0 means 32 MiB

	mem     []byte
	file    *os.File
	size    int64
	removed bool // the name of file has been removed
}

// Write implements io.Writer.
func (s *Spool) Write(p []byte) (int, error) {
	if s.file == nil && s.size+int64(len(p)) > cmp.Or(s.Memory, maxMemory) {
		f, err := os.CreateTemp("", "npy-spool-*")
		if err != nil {
			return 0, err
		}
		s.file = f
		s.removed = os.Remove(f.Name()) == nil // where open files can be removed; a process that is killed then leaves nothing
		if _, err := f.Write(s.mem); err != nil {
			return 0, err
		}
		s.mem = nil
	}
	if s.file == nil {
		s.mem = append(s.mem, p...)
		s.size += int64(len(p))
		return len(p), nil
	}
	n, err := s.file.Write(p)
	s.size += int64(n)
	return n, err
}

// ReadAt implements io.ReaderAt.
func (s *Spool) ReadAt(p []byte, off int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(p, off)
	}
	n := copy(p, s.mem[min(off, int64(len(s.mem))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Close removes the data.
func (s *Spool) Close() error {
	s.mem = nil
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if !s.removed {
		_ = os.Remove(s.file.Name())
	}
	s.file = nil
	return err
}

// Size returns the number of bytes written.
func (s *Spool) Size() int64 { return s.size }
