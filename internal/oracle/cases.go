package oracle

import (
	"os"
	"strconv"
	"testing"
)

// Cases returns the number of random cases of a test: n, a fourth of it in short mode, or n times the number in the
// environment variable NPY_CASES if that is set. A longer run now and then finds more than n cases.
func Cases(t testing.TB, n int) int {
	t.Helper()
	text := os.Getenv("NPY_CASES")
	if text == "" {
		if testing.Short() {
			return (n + 3) / 4
		}
		return n
	}
	times, err := strconv.Atoi(text)
	if err != nil || times <= 0 {
		t.Fatalf("NPY_CASES=%s: want a number of at least 1", text)
	}
	return n * times
}

// Step returns how far apart the cases are of a test that can try all of them: 1, or a prime number in short mode.
func Step(t testing.TB) int {
	t.Helper()
	if testing.Short() && os.Getenv("NPY_CASES") == "" {
		return 7
	}
	return 1
}
