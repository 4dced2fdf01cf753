//go:build !amd64 || purego

package bulk

func unshuffleQuick(_, _ []byte, _, _, _, _, _, _ int) int { return 0 }

func shuffleQuick(_, _ []byte, _, _, _, _, _, _ int) int { return 0 }
