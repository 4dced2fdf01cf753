//go:build linux && amd64

// Package faults runs programs, for tests, whose calls to the kernel fail, or which are killed at one of them. It traces
// a process as a debugger does and knows the calls that read or change the files of a folder, one by one.
package faults

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// A Kind is what a call does with a file.
type Kind int

const (
	Read   Kind = iota // reads bytes
	Write              // writes bytes
	Change             // changes something else: a size, a name
	Remove             // removes a name
)

// A Fault is what happens at a call.
type Fault int

const (
	None   Fault = iota
	Killed       // the process ends before the call
	Torn         // the process ends when half of the pages are written
	Short        // half of the bytes are written, and the call says so
	Full         // half of the pages are written, and no more by any call from then on: ENOSPC
	Broken       // the call does nothing and fails: EIO
)

// Of lists the faults that calls of a kind can have.
func Of(k Kind) []Fault {
	return [][]Fault{Read: {Broken}, Write: {Killed, Torn, Short, Full, Broken}, Change: {Killed, Broken}, Remove: {Killed, Broken}}[k]
}

// String returns the name of the fault.
func (f Fault) String() string {
	return [...]string{"none", "killed", "torn", "short", "full", "broken"}[f]
}

// An Outcome says what a process did and how it ended.
type Outcome struct {
	Calls    []Kind
	ExitCode int // -1 if it was killed
}

// Run runs a program until it ends, with a fault at call number n, from 0, of those that read or change the files in
// dir. Its output goes to out. The error is one of starting and tracing it, which some systems do not allow.
func Run(dir string, n int, fault Fault, args, env []string, out *os.File) (Outcome, error) {
	runtime.LockOSThread() // whoever traces is a thread
	defer runtime.UnlockOSThread()
	p, err := os.StartProcess(args[0], args, &os.ProcAttr{
		Env: env, Files: []*os.File{nil, out, out}, Sys: &unix.SysProcAttr{Ptrace: true},
	})
	if err != nil {
		return Outcome{}, err
	}
	defer p.Release()
	t := &tracer{pid: p.Pid, dir: dir, n: n, fault: fault, results: map[int]uint64{}}
	err = t.run()
	return t.outcome, err
}
