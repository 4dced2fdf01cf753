package npyio

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/record"
)

// WriteFile writes the bytes of np.save, and removes what a job that was killed left beside the file.
func TestWriteFile(t *testing.T) {
	pattern, all := saveSkewed(t, 700_000, 0, 5, 400_000)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "all.npy")
	if err := os.MkdirAll(path+".upload-0123", 0o777); err != nil {
		t.Fatal(err)
	}
	run(t, func(s beam.Scope) {
		if _, err := WriteFile(s, d, path); err != nil {
			t.Fatal(err)
		}
	})
	if got := listing(t, dir); !slices.Equal(got, []string{"all.npy"}) {
		t.Errorf("the folder has %v", got)
	}
	a, err := npy.FromBytes(d.dtype(), all, d.Shape...)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := npy.Write(&want, a); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("other bytes than those of np.save: %v", err)
	}
	p := beam.NewPipeline()
	if _, err := WriteFile(p.Root(), d, path); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("error %v for a file that exists", err)
	}
	if d, err = d.Filter("x[0] > 0"); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteFile(p.Root(), d, path+"-2"); err == nil || !strings.Contains(err.Error(), "filter") {
		t.Errorf("error %v for a filter", err)
	}
}

// Files of a server are read by ranges.
func TestReadURL(t *testing.T) {
	pattern, all := saveSkewed(t, 300_000)
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Dir(pattern))))
	defer server.Close()
	d, err := Open(t.Context(), server.URL+"/part-0.npy")
	if err != nil {
		t.Fatal(err)
	}
	run(t, func(s beam.Scope) {
		beam.ParDo0(s, collectNamed, Read(s, d), beam.SideInput{Input: beam.Create(s, t.Name())})
	})
	if got := elements(t, collected.blocks[t.Name()]); !bytes.Equal(got, all) {
		t.Error("other elements than those of the file")
	}
}

type quake struct {
	Mag   float32 `npy:"mag"`
	Depth int64   `npy:"depth"`
	Name  string  `npy:"name,U8"`
}

func init() {
	RegisterRecord[quake]()
	register.Function1x0(addQuake)
}

// quakeDepth is the sum over the quakes that a pipeline read.
var quakeDepth atomic.Int64

func addQuake(q quake) {
	if q.Name == "deep" {
		quakeDepth.Add(q.Depth)
	}
}

func TestReadRecords(t *testing.T) {
	quakes := make([]quake, 50_000)
	want := int64(0)
	for i := range quakes {
		quakes[i] = quake{Mag: float32(i % 9), Depth: int64(i), Name: "deep"}
		if i%9 > 5 {
			want += int64(i)
		}
	}
	name := filepath.Join(t.TempDir(), "quakes.npy")
	if err := record.Save(name, quakes); err != nil {
		t.Fatal(err)
	}
	d, err := Open(t.Context(), name)
	if err == nil {
		d, err = d.Filter("mag > 5")
	}
	if err != nil {
		t.Fatal(err)
	}
	run(t, func(s beam.Scope) {
		records, err := ReadRecords[quake](s, d)
		if err != nil {
			t.Fatal(err)
		}
		beam.ParDo0(s, addQuake, records)
	})
	if got := quakeDepth.Load(); got != want {
		t.Errorf("the depths of strong quakes add up to %d, want %d", got, want)
	}
	pattern, _ := saveSkewed(t, 3)
	if d, err = Open(t.Context(), pattern); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRecords[quake](beam.NewPipeline().Root(), d); err == nil {
		t.Error("float64 are read as records")
	}
}
