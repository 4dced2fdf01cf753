package npyio

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/npygo/npy"
	"github.com/npygo/npy/connect/beam/local"
)

// TestWatch watches jobs of one and of two stages: what it shows grows, and ends at the size of the elements.
func TestWatch(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.Save(path, make([]float32, 5000*140), 5000, 140); err != nil {
		t.Fatal(err)
	}
	data, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := local.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func(name string) { *jobopts.JobName = name }(*jobopts.JobName)
	for name, build := range map[string]func(s beam.Scope) error{
		"watched-stats": func(s beam.Scope) error { Stats(s, data); return nil },
		"watched-reshard": func(s beam.Scope) error {
			_, err := Write(s, data, filepath.Join(t.TempDir(), "out"), Options{Shards: 20})
			return err
		},
		"watched-columns": func(s beam.Scope) error {
			_, err := Write(s, data, filepath.Join(t.TempDir(), "out"), Options{Shards: 130, Axis: 1})
			return err
		},
	} {
		p, s := beam.NewPipelineWithRoot()
		if err := build(s); err != nil {
			t.Fatal(err)
		}
		*jobopts.JobName = name
		var shown []int64
		watched := make(chan error, 1)
		go func() {
			watched <- Watch(ctx, endpoint, name, 5*time.Millisecond, func(n int64) { shown = append(shown, n) })
		}()
		if _, err := local.Run(ctx, p); err != nil {
			t.Fatal(err)
		}
		if err := <-watched; err != nil {
			t.Fatal(err)
		}
		if len(shown) == 0 || !slices.IsSorted(shown) || shown[len(shown)-1] != data.NBytes() {
			t.Errorf("%s: %d bytes are shown as %v", name, data.NBytes(), shown)
		}
	}
}

// TestWatchEnds watches a job that there is not, until the context ends.
func TestWatchEnds(t *testing.T) {
	endpoint, err := local.Start()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := Watch(ctx, endpoint, "none", time.Millisecond, func(int64) { t.Error("it is shown") }); err == nil {
		t.Error("a job was found")
	}
}
