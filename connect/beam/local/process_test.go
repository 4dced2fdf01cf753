package local

import (
	"fmt"
	"slices"
	"testing"
)

func ExampleWorkerArgs() {
	args, ok := WorkerArgs([]string{"--id='job-1_go'", "--provision_endpoint=localhost:4000"})
	fmt.Println(args, ok)
	// Output: [--worker --id=job-1_go --control_endpoint=localhost:4000 --logging_endpoint=localhost:4000] true
}

func TestWorkerArgs(t *testing.T) {
	for _, args := range [][]string{nil, {"stats", "id=1", "provision_endpoint=x"}, {"--id=1"}, {"--provision_endpoint=x", "--id="}, {"--worker", "--id=1", "--control_endpoint=x"}} {
		if got, ok := WorkerArgs(args); ok || got != nil {
			t.Errorf("WorkerArgs(%q) = %q", args, got)
		}
	}
	got, ok := WorkerArgs([]string{"-id=7", "--logging_endpoint=l", "--provision_endpoint=p", "--artifact_endpoint=a", "--control_endpoint=c"})
	if want := []string{"--worker", "--id=7", "--control_endpoint=c", "--logging_endpoint=l"}; !ok || !slices.Equal(got, want) {
		t.Errorf("WorkerArgs = %q, want %q", got, want)
	}
}
