package atomicfile

import (
	"errors"
	"sync"
)

// making lists the temporary files of the process, for a program that must exit while they are written.
var making = struct {
	sync.Mutex
	files map[*File]bool
	ended bool
}{files: map[*File]bool{}}

var errEnded = errors.New("writing was aborted by the program")

// made removes a committed or aborted file from the list. It reports false if AbortAll has already removed it.
func made(f *File) bool {
	making.Lock()
	defer making.Unlock()
	listed := making.files[f]
	delete(making.files, f)
	return listed
}

// AbortAll removes all temporary files of the process and prevents new ones. Writes to them fail, and so does their
// Commit.
func AbortAll() {
	making.Lock()
	defer making.Unlock()
	making.ended = true
	for f := range making.files {
		_ = f.File.Close() // Windows does not remove an open file
		_ = f.in.Remove(f.temp)
		f.unlock()
	}
	clear(making.files)
}
