package stats_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/stats"
)

func ExampleOf() {
	a, err := npy.FromSlice([]float64{1, 2, math.NaN(), 6})
	if err != nil {
		log.Fatal(err)
	}
	all, err := stats.Of(context.Background(), a)
	if err != nil {
		log.Fatal(err)
	}
	s := all[0]
	fmt.Println(s.Count, s.NaNs, s.Min, s.Max, s.Mean, s.Sum)
	// Output: 4 1 1.0 6.0 3.0 9.0
}

// Records have a Stats for each field.
func ExampleOf_records() {
	t, err := dtype.ParseDescr("[('id', '|u1'), ('on', '|b1')]")
	if err != nil {
		log.Fatal(err)
	}
	a, err := npy.FromBytes(t, []byte{7, 1, 9, 0}, 2)
	if err != nil {
		log.Fatal(err)
	}
	all, err := stats.Of(context.Background(), a)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range all {
		fmt.Println(s.Field, s.DType, s.Count, s.Mean)
	}
	// Output:
	// id |u1 2 8.0
	// on |b1 2 0.5
}

// Data can arrive in any pieces, even half an element at a time.
func ExampleAccumulator() {
	acc, err := stats.New(dtype.Uint16.WithByteOrder(dtype.BigEndian))
	if err != nil {
		log.Fatal(err)
	}
	acc.Add([]byte{0, 1, 0})
	acc.Add([]byte{2, 255, 255})
	all, err := acc.Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all[0].Count, all[0].Min, all[0].Max, all[0].Sum)
	// Output: 3 1 65535 65538
}

// Machines summarise pieces of an array. Their states are merged in any order, with the bits of the whole array.
func ExampleAccumulator_Merge() {
	data := make([]byte, 400_000) // of little-endian uint16: a block and a part of one
	data[300_000] = 7
	little := dtype.Uint16.WithByteOrder(dtype.LittleEndian)
	block := 2 * stats.BlockElements(little)
	var states [][]byte
	for at := 0; at < len(data); at += block { // each could be on a machine of its own
		acc, err := stats.New(little)
		if err != nil {
			log.Fatal(err)
		}
		if err := acc.StartAt(int64(at / 2)); err != nil {
			log.Fatal(err)
		}
		acc.Add(data[at:min(at+block, len(data))])
		state, err := acc.MarshalBinary()
		if err != nil {
			log.Fatal(err)
		}
		states = append(states, state)
	}
	whole, err := stats.New(little)
	if err != nil {
		log.Fatal(err)
	}
	for _, state := range states {
		var piece stats.Accumulator
		if err := piece.UnmarshalBinary(state); err != nil {
			log.Fatal(err)
		}
		if err := whole.Merge(&piece); err != nil {
			log.Fatal(err)
		}
	}
	all, err := whole.Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(states), all[0].Count, all[0].Max, all[0].ArgMax)
	// Output: 2 200000 7 [150000]
}

func ExampleAxisOf() {
	a, err := npy.FromSlice([]int32{1, 2, 3, 5, 6, 7}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	along, err := stats.AxisOf(context.Background(), a, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(along.Mean, along.Max)
	// Output: [3. 4. 5.] [5 6 7]
}

// One pass gives the wanted results along several axes.
func ExampleAlong() {
	a, err := npy.FromSlice([]float64{1, 2, 3, 4, 5, 6, 7, math.NaN()}, 2, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	along, err := stats.Along{Axes: []int{0, 1}, Mean: true, Max: true}.Of(context.Background(), a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(along.Mean, along.Max, along.Std)
	// Output: [4. 4.] [7. 6.] <nil>
}

// Files may be larger than memory, and an index selects part of a file.
func ExampleOf_file() {
	path := filepath.Join(os.TempDir(), "npy-example-stats.npy")
	defer os.Remove(path)
	if err := npy.Save(path, []float64{1, 2, 3, 4, 5, 6}, 3, 2); err != nil {
		log.Fatal(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	column, err := f.Select(npy.All(), npy.At(1))
	if err != nil {
		log.Fatal(err)
	}
	all, err := stats.Of(context.Background(), column)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all[0].Count, all[0].Min, all[0].Mean)
	// Output: 3 2.0 4.0
}

// Data along an axis can arrive in any pieces, too.
func ExampleAxisAccumulator() {
	acc, err := stats.NewAxis(format.Header{DType: dtype.Uint8, Shape: []int{2, 3}}, 0)
	if err != nil {
		log.Fatal(err)
	}
	acc.Add([]byte{1, 2, 3, 7})
	acc.Add([]byte{8, 9})
	along, err := acc.Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(along.Mean, along.Std)
	// Output: [4. 5. 6.] [3. 3. 3.]
}

func ExampleQuantilesOf() {
	a, err := npy.FromSlice([]float64{4, 1, 3, 2})
	if err != nil {
		log.Fatal(err)
	}
	qs, err := stats.QuantilesOf(context.Background(), a, 0.25, 0.5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(qs[0].Values)
	// Output: [1.75 2.5]
}

// Machines count the pieces of an array between edges that all know, from a first pass or from the task.
func ExampleHistogram_Merge() {
	edges, err := stats.BinEdges(0, 4, 2)
	if err != nil {
		log.Fatal(err)
	}
	var whole stats.Histogram
	for i, piece := range [][]float64{{0, 1}, {1.5, 4}} {
		a, err := npy.FromSlice(piece)
		if err != nil {
			log.Fatal(err)
		}
		h, err := stats.HistogramIn(context.Background(), a, edges)
		if err != nil {
			log.Fatal(err)
		}
		if i == 0 {
			whole = h
		} else if err := whole.Merge(h); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(whole.Edges, whole.Counts)
	// Output: [0.0 2.0 4.0] [3 1]
}

func ExampleHistogramOf() {
	a, err := npy.FromSlice([]float64{0, 1, 1.5, 4})
	if err != nil {
		log.Fatal(err)
	}
	h, err := stats.HistogramOf(context.Background(), a, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.Edges, h.Counts)
	// Output: [0.0 2.0 4.0] [3 1]
}

// Rows of an array that are on two machines. Their summaries have the same results, so they merge.
func ExampleAxisAccumulator_Merge() {
	var whole *stats.AxisAccumulator
	for _, rows := range [][]byte{{1, 2, 3, 7, 8, 9}, {4, 5, 3}} {
		acc, err := stats.NewAxis(format.Header{DType: dtype.Uint8, Shape: []int{len(rows) / 3, 3}}, 0)
		if err != nil {
			log.Fatal(err)
		}
		if acc.Add(rows); whole == nil {
			whole = acc
		} else if err := whole.Merge(acc); err != nil {
			log.Fatal(err)
		}
	}
	along, err := whole.Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(along.Mean, along.Max)
	// Output: [4. 5. 5.] [7 8 9]
}

// In each pass, machines count their pieces from the state of the passes before.
func ExampleQuantileAccumulator() {
	pieces := [][]byte{{1, 2, 3, 7, 8, 9}, {4, 5, 3}}
	acc, err := stats.NewQuantiles(dtype.Uint8, 0.5, 0.9)
	if err != nil {
		log.Fatal(err)
	}
	for more := true; more; {
		state, err := acc.MarshalBinary()
		if err != nil {
			log.Fatal(err)
		}
		for _, piece := range pieces {
			var worker stats.QuantileAccumulator // on another machine
			if err := worker.UnmarshalBinary(state); err != nil {
				log.Fatal(err)
			}
			worker.Add(piece)
			if err := acc.Merge(&worker); err != nil {
				log.Fatal(err)
			}
		}
		if more, err = acc.Next(); err != nil {
			log.Fatal(err)
		}
	}
	qs, err := acc.Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(qs[0].Values)
	// Output: [4 8.2]
}

// A first pass over the pieces of an array finds the range of the bins, a second counts.
func ExampleExtent() {
	var pieces []*npy.Array
	for _, data := range [][]float64{{0, 1}, {1.5, 4}} {
		a, err := npy.FromSlice(data)
		if err != nil {
			log.Fatal(err)
		}
		pieces = append(pieces, a)
	}
	var extent stats.Extent
	for _, a := range pieces {
		one, err := stats.ExtentOf(context.Background(), a)
		if err == nil {
			err = extent.Merge(one)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	for _, a := range pieces {
		h, err := extent.Histogram(context.Background(), a, 2)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(h.Edges, h.Counts)
	}
	// Output:
	// [0.0 2.0 4.0] [2 0]
	// [0.0 2.0 4.0] [1 1]
}

// The mean of each row, of rows that are on two machines.
func ExampleAxisAccumulator_Append() {
	var means []*stats.AxisAccumulator
	for _, rows := range [][]byte{{1, 2, 3, 7, 8, 9}, {4, 5, 3}} {
		acc, err := stats.Along{Axes: []int{1}, Mean: true}.New(format.Header{DType: dtype.Uint8, Shape: []int{len(rows) / 3, 3}})
		if err != nil {
			log.Fatal(err)
		}
		acc.Add(rows)
		means = append(means, acc)
	}
	if err := means[0].Append(means[1]); err != nil {
		log.Fatal(err)
	}
	along, err := means[0].Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(along.Mean)
	// Output: [2. 8. 4.]
}
