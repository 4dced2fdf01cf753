//go:build s390x || emulated

package oracle

// Emulated reports whether the tests run in an emulator, qemu-user, as they do for s390x and with the tag emulated. It
// starts no programs of its own kind, and takes signals and limits for itself.
const Emulated = true
