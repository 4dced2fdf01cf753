//go:build linux && amd64

package faults

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// A tracer follows one process and all its threads. Each stops before and after every call to the kernel.
type tracer struct {
	pid     int
	dir     string
	n       int
	fault   Fault
	full    bool           // after a call that found the disk full
	results map[int]uint64 // by thread: the result that its call must return
	outcome Outcome
}

// run resumes the process from stop to stop until it ends.
func (t *tracer) run() error {
	options := unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_EXITKILL
	for started := false; ; {
		var status unix.WaitStatus
		thread, err := unix.Wait4(-1, &status, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return os.NewSyscallError("wait4", err)
		case thread == t.pid && !status.Stopped():
			t.outcome.ExitCode = status.ExitStatus() // -1 after a signal
			return nil
		case !status.Stopped():
			continue // the end of one thread
		}
		if !started {
			if err := unix.PtraceSetOptions(t.pid, options); err != nil {
				return os.NewSyscallError("ptrace", err)
			}
			started = true
		}
		if err := t.goOn(thread, status.StopSignal()); err != nil && err != unix.ESRCH { // killed meanwhile
			return err
		}
	}
}

const callStop = unix.SIGTRAP | 0x80 // PTRACE_O_TRACESYSGOOD marks the stops at calls

// goOn handles one stop and lets the thread run to the next.
func (t *tracer) goOn(thread int, signal unix.Signal) error {
	switch signal {
	case callStop:
		if err := t.stopped(thread); err != nil {
			return err
		}
		signal = 0
	case unix.SIGTRAP, unix.SIGSTOP: // the start of the process, or of a thread
		signal = 0
	}
	return unix.PtraceSyscall(thread, int(signal))
}

// stopped is called before and after each call of a thread.
func (t *tracer) stopped(thread int) error {
	var r unix.PtraceRegs
	if err := unix.PtraceGetRegs(thread, &r); err != nil {
		return err
	}
	result, waiting := t.results[thread]
	if waiting {
		delete(t.results, thread)
		return t.after(thread, &r, result)
	}
	if unix.Errno(-r.Rax) != unix.ENOSYS { // the register holds it before each call
		return nil
	}
	kind, size, ok := t.call(&r)
	if !ok {
		return nil
	}
	t.outcome.Calls = append(t.outcome.Calls, kind)
	switch {
	case len(t.outcome.Calls) == t.n+1:
		return t.inject(thread, &r, size)
	case t.full && kind == Write:
		return t.fail(thread, &r, unix.ENOSPC)
	}
	return nil
}

// inject makes the fault happen at a call that has not begun.
func (t *tracer) inject(thread int, r *unix.PtraceRegs, size *uint64) error {
	t.full = t.fault == Full
	switch {
	case t.fault == Killed:
		return unix.Kill(t.pid, unix.SIGKILL)
	case t.fault == Broken:
		return t.fail(thread, r, unix.EIO)
	case size == nil: // with several goroutines, another kind of call than the last time
		return nil
	case t.fault == Full && *size < 2*page:
		return t.fail(thread, r, unix.ENOSPC)
	case t.fault == Torn:
		t.results[thread] = torn
		fallthrough
	case t.fault == Full:
		*size -= *size / 2 / page * page
	case t.fault == Short:
		*size -= *size / 2
	}
	return unix.PtraceSetRegs(thread, r)
}

const (
	page = 4096 // neither a kill nor a full disk divides a page
	torn = 1    // stands for a result that is not seen
)

// fail replaces the call by an invalid one, which then returns e.
func (t *tracer) fail(thread int, r *unix.PtraceRegs, e unix.Errno) error {
	r.Orig_rax = ^uint64(0)
	t.results[thread] = -uint64(e)
	return unix.PtraceSetRegs(thread, r)
}

// after is called after a call with a fault.
func (t *tracer) after(thread int, r *unix.PtraceRegs, result uint64) error {
	if result == torn {
		return unix.Kill(t.pid, unix.SIGKILL)
	}
	r.Rax = result
	return unix.PtraceSetRegs(thread, r)
}

// call returns the effect of a call, and the register with the number of bytes that it writes; false if it does not use
// a file in the folder. A call with a name is one in the folder, since the tested programs use no other names.
func (t *tracer) call(r *unix.PtraceRegs) (k Kind, size *uint64, ok bool) {
	switch r.Orig_rax {
	case unix.SYS_READ, unix.SYS_PREAD64:
		return Read, nil, t.inDir(r.Rdi)
	case unix.SYS_WRITE, unix.SYS_PWRITE64:
		return Write, &r.Rdx, t.inDir(r.Rdi)
	case unix.SYS_SENDFILE:
		return Write, &r.R10, t.inDir(r.Rdi)
	case unix.SYS_COPY_FILE_RANGE:
		return Write, &r.R8, t.inDir(r.Rdx)
	case unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FSYNC, unix.SYS_FCHMOD:
		return Change, nil, t.inDir(r.Rdi)
	case unix.SYS_OPENAT:
		return Change, nil, r.Rdx&unix.O_CREAT != 0
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT:
		return Change, nil, true
	case unix.SYS_UNLINKAT:
		return Remove, nil, true
	}
	return 0, nil, false
}

// inDir reports whether an open file of the process is a file in the folder, or the folder.
func (t *tracer) inDir(fd uint64) bool {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", t.pid, int32(fd)))
	return err == nil && strings.HasPrefix(name, t.dir)
}
