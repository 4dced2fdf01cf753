//go:build !amd64 || purego

package bulk

func adlerQuick([]byte) (low, high uint64, done int) { return 1, 0, 0 }
