//go:build unix && !linux

package mapping

import "golang.org/x/sys/unix"

const hugePages = unix.MADV_NORMAL // the system has no advice for huge pages
