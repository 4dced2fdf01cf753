//go:build !race

package property

const slower = 1
