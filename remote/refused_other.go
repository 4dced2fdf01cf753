//go:build !windows

package remote

import "syscall"

// errRefused says that no program waits at an address.
const errRefused = syscall.ECONNREFUSED
