//go:build !linux

package local

// onlyLoopback does nothing: the system has no way to limit a socket that listens already.
func onlyLoopback(int) error { return nil }
