package npy_test

import (
	"fmt"
	"testing"

	"github.com/npygo/npy"
)

// A service with many concurrent requests wants each to stay on its own goroutine.
func ExampleSetWorkers() {
	before := npy.SetWorkers(1)
	defer npy.SetWorkers(before)
	fmt.Println(before)
	// Output: 0
}

func TestSetWorkers(t *testing.T) {
	if before := npy.SetWorkers(3); before != 0 {
		t.Errorf("the limit was %d before anybody set one", before)
	}
	if before := npy.SetWorkers(-1); before != 3 {
		t.Errorf("the limit was %d, want the 3 that were set", before)
	}
	if before := npy.SetWorkers(0); before != 0 {
		t.Errorf("a negative limit is %d, want 0", before)
	}
}
