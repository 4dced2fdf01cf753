// Npy-beam summarises and rewrites NumPy's arrays with Apache Beam.
//
//	npy-beam stats 's3://bucket/day-*.npy'
//	npy-beam filter 'mag > 5' 'day-*.npy' strong
//	npy-beam reshard --shards 100 --runner dataflow … 'gs://bucket/*.npy' gs://bucket/all
//
// IN are paths, patterns and URLs of .npy files, members of archives (file.npz:member), manifests (file.npy.json) and
// folders of this command, which follow each other along the first axis. OUT is a new folder, or a URL, for files
// part-00000.npy … and their manifest data.npy.json. If it ends in .npy, it is one file.
//
// The default runner is Prism in this process. The flags of Beam choose others.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/npygo/npy/connect/beam/local"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// verbose shows what the runner logs.
var verbose = flag.Bool("verbose", false, "show what the runner logs")

// run runs the command and returns its exit code. A worker process, which a runner starts with flags alone, does not return.
func run(args []string, stderr io.Writer) int {
	if worker, ok := local.WorkerArgs(args); ok {
		args = worker
	}
	rest, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		usage(stderr)
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "npy-beam: %v; npy-beam -help lists the flags\n", err)
		return 2
	}
	var c *command
	if len(rest) > 0 {
		i := slices.IndexFunc(commands, func(c command) bool { return c.name == rest[0] })
		if i < 0 {
			fmt.Fprintf(stderr, "npy-beam: unknown command %q; npy-beam -help lists the commands\n", rest[0])
			return 2
		}
		c, rest = &commands[i], rest[1:]
	}
	level := "error"
	if *verbose {
		level = "info"
	}
	log.SetupLogging(level, "text")
	beam.Init()
	if c == nil {
		usage(stderr)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := execute(ctx, c, rest, stderr); err != nil {
		fmt.Fprintln(stderr, "npy-beam:", cause(err))
		if errors.As(err, new(usageError)) {
			return 2
		}
		return 1
	}
	return 0
}

// parse parses flags, which may follow arguments, and returns the arguments.
func parse(args []string) (rest []string, err error) {
	flag.CommandLine.Init("npy-beam", flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard) // the caller tells the error
	flag.Usage = func() {}
	for {
		if err := flag.CommandLine.Parse(args); err != nil {
			return nil, err
		}
		if args = flag.Args(); len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// execute builds the pipeline of a command and runs it.
func execute(ctx context.Context, c *command, args []string, stderr io.Writer) error {
	p, s := beam.NewPipelineWithRoot()
	to, err := c.build(ctx, s, args)
	if err != nil {
		return err
	}
	defer to.result.remove()
	runner, began := beamx.RunWithMetrics, time.Now()
	if program, err := os.Executable(); err == nil && *jobopts.EnvironmentType == "PROCESS" {
		setDefault(jobopts.WorkerBinary, program) // and not one that Beam compiles
		setDefault(jobopts.EnvironmentConfig, fmt.Sprintf(`{"command": %q}`, program))
	}
	endpoint := *jobopts.Endpoint
	if name := strings.ToLower(*runners.Runner); endpoint == "" && (name == "" || strings.HasPrefix(name, "prism")) {
		runner = local.Run
		var err error
		if endpoint, err = local.Start(); err != nil {
			return err
		}
	}
	line = newProgress(stderr, c.name, to.bytes)
	line.watch(ctx, endpoint)
	result, err := runner(ctx, p)
	line.end()
	if err != nil {
		return err
	}
	if to.wrote != "" {
		fmt.Println(to.wrote)
	}
	if err := to.result.print(os.Stdout); err != nil {
		return err
	}
	if n := bytesOf(result); n > 0 {
		took := time.Since(began)
		fmt.Fprintf(stderr, "%d bytes in %.2f s, %.0f MB/s\n", n, took.Seconds(), float64(n)/1e6/took.Seconds())
	}
	return nil
}

// setDefault sets a flag that was not given.
func setDefault(flag *string, value string) {
	if *flag == "" {
		*flag = value
	}
}

// bytesOf returns the number of bytes that all transforms of a pipeline counted, or 0 if the runner does not tell.
func bytesOf(result beam.PipelineResult) (n int64) {
	if result == nil {
		return 0
	}
	for _, counter := range result.Metrics().AllMetrics().Counters() {
		if counter.Namespace() == "npyio" && counter.Name() == "bytes" {
			n += counter.Result()
		}
	}
	return n
}

// cause returns the message of the error within all that runners wrap around it.
func cause(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "caused by:"); i >= 0 {
		text = text[i+len("caused by:"):]
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimPrefix(text, "npyio: ")
}

func usage(w io.Writer) {
	fmt.Fprint(w, "Npy-beam summarises and rewrites NumPy's arrays with Apache Beam.\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  npy-beam %-10s%-24s %s\n", c.name, c.args, c.short)
	}
	fmt.Fprint(w, `
IN are paths, patterns and URLs of .npy files, members of archives (file.npz:member), manifests (file.npy.json)
and folders that this command wrote.
OUT is a new folder, or a URL below which the files are written; one file if it ends in .npy.

`)
	own, beams := []string{}, []string{}
	flag.VisitAll(func(f *flag.Flag) {
		if slices.Contains(ownFlags, f.Name) {
			own = append(own, fmt.Sprintf("  --%-10s %s\n", f.Name, f.Usage))
		} else {
			beams = append(beams, f.Name)
		}
	})
	fmt.Fprint(w, strings.Join(own, ""), "\nThe flags of Beam and its runners: ", strings.Join(beams, " "), "\n")
}
