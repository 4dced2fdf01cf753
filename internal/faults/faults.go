//go:build linux && amd64

// Package faults runs programs, for tests, and makes one of their system calls fail or kills them at one. It traces a
// process as a debugger does, and numbers the system calls that read or change the files of a folder.
package faults

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// A Kind is the effect of a system call on a file.
type Kind int

const (
	Read   Kind = iota // reads bytes
	Write              // writes bytes
	Change             // changes something else: a size, a name
	Remove             // removes a name
)

// A Fault is the failure of a system call.
type Fault int

const (
	None   Fault = iota
	Killed       // the process ends before the call
	Torn         // the process ends when half of the pages are written
	Short        // half of the bytes are written, and the call returns their number
	Full         // half of the pages are written, and no more by any later call: ENOSPC
	Broken       // the call does nothing and fails: EIO
)

// Of lists the faults for calls of a kind.
func Of(k Kind) []Fault {
	return [][]Fault{Read: {Broken}, Write: {Killed, Torn, Short, Full, Broken}, Change: {Killed, Broken}, Remove: {Killed, Broken}}[k]
}

// String returns the name of the fault.
func (f Fault) String() string {
	return [...]string{"none", "killed", "torn", "short", "full", "broken"}[f]
}

// An Outcome is a process's output and the way it ended.
type Outcome struct {
	Calls    []Kind
	ExitCode int // -1 if it was killed
}

// Run runs a program until it ends, with a fault at call number n, from 0, of the calls that read or change the files
// in dir. Its output goes to out. The error is an error of starting or tracing it, which some systems do not allow.
func Run(dir string, n int, fault Fault, args, env []string, out *os.File) (Outcome, error) {
	runtime.LockOSThread() // a tracer is a thread
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
