// Package local runs pipelines on Prism, a runner that is part of the program.
//
//	beam.Init()
//	p, s := beam.NewPipelineWithRoot()
//	…
//	result, err := local.Run(ctx, p)
package local

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
)

// Run runs a pipeline in this process. Its workers are goroutines.
//
// Prism takes jobs at a port, and a job can start programs. On Linux the port is open on the loopback interface only. On
// other systems it is open on all interfaces until the program ends: run it where a firewall protects the machine.
func Run(ctx context.Context, p *beam.Pipeline) (beam.PipelineResult, error) {
	endpoint, err := Start()
	if err != nil {
		return nil, err
	}
	// What follows does what Beam's LOOPBACK environment does, which needs a file in place of a program and never removes it.
	workers, err := extworker.StartLoopback(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer workers.Stop(ctx)
	program, err := os.CreateTemp("", "npyio-worker-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(program.Name())
	if err := program.Close(); err != nil {
		return nil, err
	}
	*jobopts.Endpoint, *jobopts.WorkerBinary = endpoint, program.Name()
	*jobopts.EnvironmentType, *jobopts.EnvironmentConfig = "EXTERNAL", workers.EnvironmentConfig(ctx)
	return universal.Execute(ctx, p)
}

// Start starts Prism, unless it runs already, and returns the address of its job server.
func Start() (endpoint string, err error) {
	endpoint, err = start()
	if err != nil {
		return "", fmt.Errorf("npyio: starting Prism: %w", err)
	}
	return endpoint, nil
}

// start starts Prism with the first call.
var start = sync.OnceValues(func() (string, error) {
	port, err := freePort()
	if err != nil {
		return "", err
	}
	if _, err := prism.CreateJobServer(context.Background(), prism.Options{Port: port}); err != nil {
		return "", err
	}
	return fmt.Sprintf("localhost:%d", port), onlyLoopback(port)
})

// freePort returns a port that no other program uses.
func freePort() (int, error) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
