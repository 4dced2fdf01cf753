//go:build !amd64 || purego

package bulk

func widenHalves([]float32, []uint16) int { return 0 }

func narrowHalves([]uint16, []float32) int { return 0 }
