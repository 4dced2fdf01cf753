package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	npyio "github.com/npygo/npy/connect/beam"
	"github.com/npygo/npy/remote"
	"github.com/npygo/npy/stats"
)

func init() {
	register.DoFn2x1[context.Context, npyio.Summary, error](&printer{})
	register.Function1x0(printPath)
}

// printPath prints the path of what was written, on the machine of a worker.
func printPath(path string) { fmt.Println(path) }

// A printer prints statistics.
type printer struct {
	JSON bool
	Out  string // a path or a URL; "" for standard output
}

// report prints statistics where the worker is, or writes them to a file.
func report(s beam.Scope, summary beam.PCollection, p printer) { beam.ParDo0(s, &p, summary) }

// ProcessElement prints the statistics of an array.
func (p *printer) ProcessElement(ctx context.Context, x npyio.Summary) error {
	all, err := x.Stats()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, one := range all {
		if err := p.print(&text, one); err != nil {
			return err
		}
	}
	return p.put(ctx, text.Bytes())
}

// print prints the statistics of an array or a field.
func (p *printer) print(w io.Writer, x stats.Stats) error {
	if p.JSON {
		return json.NewEncoder(w).Encode(x)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name string, value any) { fmt.Fprintf(t, "%s\t%v\n", name, value) }
	if x.Field != "" {
		line("field", x.Field)
	}
	line("dtype", x.DType)
	line("count", x.Count)
	for _, v := range []struct {
		name  string
		value stats.Value
		at    []int
	}{{"min", x.Min, x.ArgMin}, {"max", x.Max, x.ArgMax}, {"mean", x.Mean, nil}, {"std", x.Std, nil}, {"sum", x.Sum, nil}} {
		switch {
		case v.value.IsValid() && v.at != nil:
			line(v.name, fmt.Sprintf("%v at %v", v.value, v.at))
		case v.value.IsValid():
			line(v.name, v.value)
		}
	}
	for _, n := range []struct {
		name  string
		count int64
	}{{"nan", x.NaNs}, {"inf", x.Infs}, {"nat", x.NaTs}, {"zeros", x.Zeros}, {"true", x.Trues}, {"empty", x.Empty}} {
		if n.count > 0 {
			line(n.name, n.count)
		}
	}
	return t.Flush()
}

// put writes the result.
func (p *printer) put(ctx context.Context, text []byte) error {
	switch {
	case p.Out == "":
		_, err := os.Stdout.Write(text)
		return err
	case !remote.IsURL(p.Out):
		return npy.ReplaceFile(p.Out, func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	w, err := remote.Create(ctx, p.Out, remote.Options{})
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := w.Write(text); err != nil {
		return err
	}
	return w.Close()
}
