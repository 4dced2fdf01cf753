package atomicfile

import (
	"errors"
	"sync"
)

// making has the temporary files of the process, for a program that has to end while they are written.
var making = struct {
	sync.Mutex
	files map[*File]bool
	ended bool
}{files: map[*File]bool{}}

var errEnded = errors.New("the program has given up all writing")

// made takes a file that is committed or removed from the list. It reports false if AbortAll has done so.
func made(f *File) bool {
	making.Lock()
	defer making.Unlock()
	listed := making.files[f]
	delete(making.files, f)
	return listed
}

// AbortAll removes all temporary files of the process, and has it make no more of them. Those who write them get errors,
// and their Commit fails.
func AbortAll() {
	making.Lock()
	defer making.Unlock()
	making.ended = true
	for f := range making.files {
		_ = f.File.Close() // or Windows would not remove it
		_ = f.in.Remove(f.temp)
		f.unlock()
	}
	clear(making.files)
}
