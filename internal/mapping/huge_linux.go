package mapping

import "golang.org/x/sys/unix"

const hugePages = unix.MADV_HUGEPAGE
