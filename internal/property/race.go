//go:build race

package property

// slower divides the number of cases, since the race detector makes them slow.
const slower = 5
