//go:build unix && !linux

package mapping

import "golang.org/x/sys/unix"

const hugePages = unix.MADV_NORMAL // there is no such advice
