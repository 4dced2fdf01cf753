package npyio_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	npyio "github.com/npygo/npy/connect/beam"
	"github.com/npygo/npy/connect/beam/local"
)

func init() {
	register.Function1x1(printCounts)
	register.Function1x1(printQuantiles)
	register.Function1x1(printMeans)
}

func printCounts(x npyio.Counts) error {
	h, err := x.Histogram()
	fmt.Println(h.Edges, h.Counts)
	return err
}

func printQuantiles(x npyio.QuantileState) error {
	qs, err := x.Quantiles()
	if err == nil {
		fmt.Println(qs[0].Values)
	}
	return err
}

func printMeans(x npyio.AxisSummary) error {
	along, err := x.Axis()
	if err == nil {
		fmt.Println(along.Mean)
	}
	return err
}

// example runs a transform of two files, whose rows are [0 1], [2 3], [4 5] and [6 7], and prints its result.
func example(print any, transform func(s beam.Scope, d npyio.Dataset) (beam.PCollection, error)) error {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, rows := range map[string][]int32{"a-1.npy": {0, 1, 2, 3}, "a-2.npy": {4, 5, 6, 7}} {
		if err := npy.Save(filepath.Join(dir, name), rows, 2, 2); err != nil {
			return err
		}
	}
	d, err := npyio.Open(context.Background(), filepath.Join(dir, "a-*.npy"))
	if err != nil {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	result, err := transform(s, d)
	if err != nil {
		return err
	}
	beam.ParDo0(s, print, result)
	_, err = local.Run(context.Background(), p)
	return err
}

func ExampleHistogram() {
	err := example(printCounts, func(s beam.Scope, d npyio.Dataset) (beam.PCollection, error) {
		return npyio.Histogram(s, d, npyio.Bins{N: 2})
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: [0.0 3.5 7.0] [4 4]
}

func ExampleQuantiles() {
	err := example(printQuantiles, func(s beam.Scope, d npyio.Dataset) (beam.PCollection, error) {
		return npyio.Quantiles(s, d, 0.5, 1)
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: [3.5 7]
}

func ExampleStatsAxis() {
	err := example(printMeans, func(s beam.Scope, d npyio.Dataset) (beam.PCollection, error) {
		return npyio.StatsAxis(s, d, 0)
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: [3. 4.]
}
