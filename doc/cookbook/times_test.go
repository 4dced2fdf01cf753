package cookbook

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// Times of Go become datetime64 and back; a missing time is NaT.
func Example_times() {
	folder, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "times.npy")

	microseconds, err := dtype.Parse("M8[us]")
	if err != nil {
		log.Fatal(err)
	}
	start := time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC)
	a, err := npy.FromTimes(microseconds, []time.Time{start, {}, start.Add(1500 * time.Millisecond)}, []bool{true, false, true})
	if err != nil {
		log.Fatal(err)
	}
	if err := npy.WriteFile(path, a); err != nil {
		log.Fatal(err)
	}

	times, valid, _, err := npy.LoadTimes(path)
	if err != nil {
		log.Fatal(err)
	}
	for i, t := range times {
		if !valid[i] {
			fmt.Println("NaT")
			continue
		}
		fmt.Println(t.Format(time.RFC3339Nano))
	}
	// Output:
	// 2026-11-22T09:30:00Z
	// NaT
	// 2026-11-22T09:30:01.5Z
}
