//go:build !linux || purego

package bulk

// AdviseHuge does nothing here.
func AdviseHuge([]byte) {}
