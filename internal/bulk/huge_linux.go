//go:build linux && !purego

package bulk

import "golang.org/x/sys/unix"

const (
	hugePage = 2 << 20
	hugeMin  = 4 << 20 // for less memory the call costs more than the faults it saves
)

// AdviseHuge asks the kernel to back b with huge pages. It must be called before b is first accessed: the page faults
// on fresh 4 KB pages cost five times as much as reading a file into them. Failure has no other effect.
func AdviseHuge(b []byte) {
	if len(b) < hugeMin {
		return
	}
	skip := int(-address(b) & (hugePage - 1))
	whole := (len(b) - skip) &^ (hugePage - 1)
	if whole > 0 {
		_ = unix.Madvise(b[skip:skip+whole], unix.MADV_HUGEPAGE)
	}
}
