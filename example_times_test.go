package npy_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

var milliseconds = dtype.Step{Num: 1, Unit: dtype.Millisecond}

// saveMeasured writes a file of three times. The second is missing.
func saveMeasured() string {
	times := []time.Time{time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC), {}, time.Date(2024, 1, 1, 12, 0, 0, 5e6, time.UTC)}
	a, err := npy.FromTimes(dtype.Datetime64(milliseconds), times, []bool{true, false, true})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "times.npy")
	if err := npy.WriteFile(path, a); err != nil {
		log.Fatal(err)
	}
	return path
}

func ExampleLoadTimes() {
	path := saveMeasured()
	defer os.RemoveAll(filepath.Dir(path))

	times, valid, shape, err := npy.LoadTimes(path)
	if err != nil {
		log.Fatal(err)
	}
	for i, t := range times {
		if valid[i] {
			fmt.Println(t)
		} else {
			fmt.Println("NaT")
		}
	}
	fmt.Println(shape)
	// Output:
	// 2024-01-01 12:00:00 +0000 UTC
	// NaT
	// 2024-01-01 12:00:00.005 +0000 UTC
	// [3]
}

// The file counts milliseconds. It becomes microseconds, and cannot become seconds.
func ExampleLoadTicks() {
	path := saveMeasured()
	defer os.RemoveAll(filepath.Dir(path))

	ticks, _, err := npy.LoadTicks[scalar.Datetime64](path, dtype.Step{Num: 1, Unit: dtype.Microsecond})
	fmt.Println(ticks[0], ticks[1].IsNaT(), ticks[2], err)
	_, _, err = npy.LoadTicks[scalar.Datetime64](path, dtype.Step{Num: 1, Unit: dtype.Second})
	fmt.Println(err != nil)
	// Output:
	// 1704110400000000 true 1704110400005000 <nil>
	// true
}

func ExampleLoadDurations() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "laps.npy")
	a, err := npy.FromDurations(dtype.Timedelta64(milliseconds), []time.Duration{90 * time.Second, 91500 * time.Millisecond}, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := npy.WriteFile(path, a); err != nil {
		log.Fatal(err)
	}
	durations, valid, _, err := npy.LoadDurations(path)
	fmt.Println(durations, valid, err)
	// Output: [1m30s 1m31.5s] [true true] <nil>
}

func ExampleFromTimes() {
	seconds := dtype.Datetime64(dtype.Step{Num: 1, Unit: dtype.Second})
	_, err := npy.FromTimes(seconds, []time.Time{time.Date(2024, 1, 1, 12, 0, 0, 5e6, time.UTC)}, nil)
	fmt.Println(err)
	// Output: npy: element 0: scalar: cannot convert time.Time 2024-01-01 12:00:00.005 +0000 UTC to datetime64[s]: value is not a whole number of ticks
}

func ExampleFromDurations() {
	a, err := npy.FromDurations(dtype.Timedelta64(milliseconds), []time.Duration{time.Second, 0}, []bool{true, false})
	fmt.Println(a, err)
	// Output: [ 1000 'NaT'] <nil>
}

func ExampleArray_ToTimes() {
	a, err := npy.FromSliceAs(dtype.Datetime64(milliseconds), scalar.Datetime64s(0, 1500))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.ToTimes())
	// Output: [1970-01-01 00:00:00 +0000 UTC 1970-01-01 00:00:01.5 +0000 UTC] [true true] <nil>
}

func ExampleArray_ToDurations() {
	a, err := npy.FromSliceAs(dtype.Timedelta64(milliseconds), scalar.Timedelta64s(1500, scalar.NaT))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.ToDurations())
	// Output: [1.5s 0s] [true false] <nil>
}
