//go:build !amd64 || purego

package bulk

func widenHalves[H ~uint16]([]float32, []H) int { return 0 }

func narrowHalves[H ~uint16]([]H, []float32) int { return 0 }
