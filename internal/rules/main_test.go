package rules

import (
	"fmt"
	"os"
	"testing"
)

// The tests run in the root of the repository: their paths are relative to it.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
