//go:build windows && !purego

package bulk

import "unsafe"

// Mapped returns n bytes at an address that the system has mapped. The garbage collector does not know them.
func Mapped(address uintptr, n int) []byte {
	// The address is none of Go's, so nothing moves or frees it but UnmapViewOfFile. Going through a pointer to it is
	// what vet accepts for such addresses.
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&address))), n)
}

// MappedAt returns the address that was given to [Mapped].
func MappedAt(b []byte) uintptr { return address(b) }
