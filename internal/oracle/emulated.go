//go:build s390x || emulated

package oracle

// Emulated reports whether the tests run in an emulator, qemu-user, as they do for s390x and with the tag emulated.
// Under it a test cannot start programs of its own kind, and limits and signals reach the emulator.
const Emulated = true
