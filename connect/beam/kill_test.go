package npyio

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// A workerJob is what a worker process of a test does: it submits a job to the Prism of the test, and is its worker. Without a
// Dir it computes statistics; a Dir that ends in .npy is one file.
type workerJob struct {
	Endpoint, Pattern, Dir string
	Options                Options
	Where, As              string
	Processes              string // folder for the numbers of worker processes that the runner starts; "" if this process is the worker
	Statistics             string // "" for Stats
}

// build adds the transforms of the job.
func (job workerJob) build(s beam.Scope) error {
	d, err := Open(context.Background(), job.Pattern)
	if err == nil && job.Where != "" {
		d, err = d.Filter(job.Where)
	}
	if err == nil && job.As != "" {
		d, err = d.Cast(must(dtype.Parse(job.As)), npy.SameKindCasting)
	}
	switch {
	case err != nil:
	case job.Statistics == "histogram":
		_, err = Histogram(s, d, Bins{N: 100})
	case job.Statistics == "quantiles":
		_, err = Quantiles(s, d, 0.01, 0.5, 0.99)
	case job.Statistics == "axis":
		_, err = StatsAxis(s, d, 0)
	case job.Dir == "":
		Stats(s, d)
	case filepath.Ext(job.Dir) == ".npy":
		_, err = WriteFile(s, d, job.Dir)
	default:
		_, err = Write(s, d, job.Dir, job.Options)
	}
	return err
}

// workerVariable is the environment variable that holds a workerJob.
const workerVariable = "NPYIO_TEST_JOB"

// work runs the job in the environment, if there is one.
func work() (ran bool, err error) {
	text := os.Getenv(workerVariable)
	if text == "" {
		return false, nil
	}
	var job workerJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		return true, err
	}
	p, s := beam.NewPipelineWithRoot()
	if err := job.build(s); err != nil {
		return true, err
	}
	*jobopts.Endpoint, *jobopts.EnvironmentType = job.Endpoint, "LOOPBACK"
	if job.Processes != "" {
		config, _ := json.Marshal(map[string]any{"command": os.Args[0], "env": map[string]string{processVariable: job.Processes}})
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary = "PROCESS", string(config), os.Args[0]
	}
	_, err = universal.Execute(context.Background(), p)
	if status, err := os.ReadFile("/proc/self/status"); err == nil { // for TestWorkerMemory
		os.Stdout.Write(status)
	}
	return true, err
}

// worker returns a process that runs a job.
func (job workerJob) worker(t *testing.T) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), workerVariable+"="+string(text))
	return c
}

// processVariable is the environment variable of worker processes that a runner starts.
const processVariable = "NPYIO_TEST_PROCESSES"

// tellProcess writes a file whose name is the number of this process.
func tellProcess() error {
	return os.WriteFile(filepath.Join(os.Getenv(processVariable), strconv.Itoa(os.Getpid())), nil, 0o666)
}

// killProcess kills the worker processes that have told their numbers.
func killProcess(dir string) (killed int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if p, err := os.FindProcess(pid); err == nil && p.Kill() == nil {
				killed++
			}
		}
		os.Remove(filepath.Join(dir, e.Name()))
	}
	return killed
}

// Worker processes that are killed while they read and write leave nothing that a reader takes for data. The same job then
// gives the same bytes as one that nobody killed, and leaves no temporary files.
func TestKilledWorkers(t *testing.T) {
	testKilled(t, workerJob{})
}

// The same is true of processes that a Prism of its own starts.
func TestKilledProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Prism")
	}
	prism := filepath.Join(t.TempDir(), "prism")
	build := exec.Command("go", "build", "-o", prism, "github.com/apache/beam/sdks/v2/go/cmd/prism")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	var log bytes.Buffer
	server := exec.Command(prism, "--job_port="+port, "--serve_http=false")
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	processes := t.TempDir()
	defer func() {
		killProcess(processes)
		server.Process.Kill()
		server.Wait()
		if t.Failed() {
			t.Logf("%s", log.Bytes())
		}
	}()
	for range 1000 {
		if c, err := net.Dial("tcp", "localhost:"+port); err == nil {
			c.Close()
			break
		}
		time.Sleep(10 * time.Millisecond) // the server does not say when it listens
	}
	testKilled(t, workerJob{Endpoint: "localhost:" + port, Processes: processes})
}

func testKilled(t *testing.T, job workerJob) {
	pattern, _ := saveSkewed(t, 1_500_000, 3, 600_000)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Shards: 24, Shuffle: true, Seed: 8}
	want := write(t, d, o) // starts the Prism of the test
	job.Pattern, job.Dir, job.Options = pattern, filepath.Join(t.TempDir(), "out"), o
	if job.Endpoint == "" {
		job.Endpoint = *jobopts.Endpoint
	}
	parent := filepath.Dir(job.Dir)
	random := rand.New(rand.NewPCG(1, 1))
	killed := 0
	for round := range 6 {
		c := job.worker(t)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		files := 0 // that are complete before the kill; at first none, so all are read and written
		if round > 0 {
			files = 1 + random.IntN(o.Shards/2)
		}
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) { // other processes write into the folder, which has no event to wait for
			pattern := ".out.*"
			if files > 0 {
				pattern = filepath.Join(pattern, "part-*.npy")
			}
			if hidden, _ := filepath.Glob(filepath.Join(parent, pattern)); len(hidden) > max(files-1, 0) {
				break
			}
		}
		if job.Processes == "" {
			c.Process.Kill()
		} else {
			killProcess(job.Processes)
			// Prism does not notice the end of a process that has not begun its first bundle.
			defer time.AfterFunc(5*time.Second, func() { c.Process.Kill() }).Stop()
		}
		if err := c.Wait(); err != nil {
			killed++
		}
		if _, err := os.Stat(job.Dir); err == nil {
			break // it was done before the kill
		}
		if found, err := Open(t.Context(), filepath.Join(parent, "*", "*.npy")); err == nil {
			t.Fatalf("a killed worker left %v", found.Parts)
		}
	}
	if killed < 2 {
		t.Fatalf("only %d workers were killed while they worked", killed)
	}
	if _, err := os.Stat(job.Dir); err != nil {
		if out, err := job.worker(t).CombinedOutput(); err != nil {
			t.Fatalf("the job run again: %v\n%s", err, out)
		}
	}
	if got := listing(t, parent); !slices.Equal(got, []string{"out"}) {
		t.Errorf("the job run again left %v", got)
	}
	names := listing(t, job.Dir)
	if !slices.Equal(names, listing(t, want)) {
		t.Errorf("the job run again wrote %v", names)
	}
	for _, name := range names {
		a, err := os.ReadFile(filepath.Join(job.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(want, name)); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs from the job that nobody killed: %v", name, err)
		}
	}
	t.Logf("%d workers killed", killed)
}
