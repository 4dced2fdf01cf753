//go:build unix

package parts

import "syscall"

// nonblock has the opening of a pipe end at once.
const nonblock = syscall.O_NONBLOCK
