//go:build race

package property

// slower is how much the race detector takes of the cases, for the time that it takes.
const slower = 5
