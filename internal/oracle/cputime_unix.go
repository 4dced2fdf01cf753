//go:build unix

package oracle

import (
	"syscall"
	"time"
)

// CPUTime returns the time that all processors have spent in the code of this process, without the kernel's time. Unlike the clock,
// it is about the same on a machine with other work to do.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
