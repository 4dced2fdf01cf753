package oracle

import (
	"os"
	"strconv"
	"testing"
)

// Cases returns the number of random cases of a test: n, times the number in the environment variable NPY_CASES if that
// is set. A longer run now and then finds more than n cases.
func Cases(t testing.TB, n int) int {
	t.Helper()
	text := os.Getenv("NPY_CASES")
	if text == "" {
		return n
	}
	times, err := strconv.Atoi(text)
	if err != nil || times <= 0 {
		t.Fatalf("NPY_CASES=%s: want a number of at least 1", text)
	}
	return n * times
}
