//go:build !s390x && !emulated

package oracle

// Emulated is false: the tests run natively.
const Emulated = false
