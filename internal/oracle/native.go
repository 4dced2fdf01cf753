//go:build !s390x && !emulated

package oracle

// Emulated is false: the tests run on the machine that they are for.
const Emulated = false
