//go:build windows && !purego

package bulk

import "unsafe"

// Mapped returns n bytes at an address that the system has mapped. The garbage collector does not manage them.
func Mapped(address uintptr, n int) []byte {
	// The address is not in Go's heap, so only UnmapViewOfFile can free it. Converting through a pointer is the form
	// that vet accepts for such addresses.
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&address))), n)
}

// MappedAt returns the address that was given to [Mapped].
func MappedAt(b []byte) uintptr { return address(b) }
