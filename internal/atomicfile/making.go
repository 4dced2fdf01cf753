package atomicfile

import (
	"errors"
	"os"
	"sync"
)

// making has the temporary files of the process, for a program that has to end while they are written.
var making = struct {
	sync.Mutex
	files map[string]*os.File // by name
	ended bool
}{files: map[string]*os.File{}}

var errEnded = errors.New("the program has given up all writing")

// made takes a file that is committed or removed from the list.
func made(temp string) {
	making.Lock()
	defer making.Unlock()
	delete(making.files, temp)
}

// AbortAll removes all temporary files of the process, and has it make no more of them. Those who write them get errors,
// and their Commit fails.
func AbortAll() {
	making.Lock()
	defer making.Unlock()
	making.ended = true
	for temp, f := range making.files {
		_ = f.Close() // or Windows would not remove it
		_ = os.Remove(temp)
	}
	clear(making.files)
}
