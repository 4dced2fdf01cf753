package built

import "testing"

// The command has packages, and all are readable.
func TestInputs(t *testing.T) {
	if err := Inputs(); err != nil {
		t.Fatal(err)
	}
}
