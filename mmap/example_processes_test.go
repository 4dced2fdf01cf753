//go:build !purego && !s390x && !emulated

package mmap_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/mmap"
)

// part is set in processes that fill one part of an array. Its value is the number of the part.
const part = "NPY_EXAMPLE_PART"

func TestMain(m *testing.M) {
	if text := os.Getenv(part); text != "" {
		n, err := strconv.Atoi(text)
		if err == nil {
			err = fill(os.Args[1], n)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fill writes the rows of one of four parts: the elements of row i are i.
func fill(path string, part int) error {
	f, err := mmap.OpenRW(path)
	if err != nil {
		return err
	}
	defer f.Close()
	v, err := mmap.ViewOf[float64](f)
	if err != nil {
		return err
	}
	low, high := part*v.Len()/4, (part+1)*v.Len()/4
	for i := low; i < high; i++ {
		row, _ := v.Row(i).ViewSlice()
		for j := range row {
			row[j] = float64(i)
		}
	}
	return f.FlushRows(low, high)
}

// fillTogether starts four processes, which fill the parts of an array at the same time.
func fillTogether(path string) error {
	var commands [4]*exec.Cmd
	for i := range commands {
		commands[i] = exec.Command(os.Args[0], path)
		commands[i].Env = append(os.Environ(), fmt.Sprintf("%s=%d", part, i))
		commands[i].Stderr = os.Stderr
		if err := commands[i].Start(); err != nil {
			return err
		}
	}
	var errs [4]error
	for i, c := range commands {
		errs[i] = c.Wait()
	}
	return errors.Join(errs[:]...)
}

// One process creates an array, four others each fill a quarter of it, and the first checks the result. All of them
// map the same file.
func Example_processes() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "big.npy")
	f, err := mmap.Create(path, dtype.Float64, 1000, 512)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	if err := fillTogether(path); err != nil {
		fmt.Println(err)
		return
	}
	data, shape, err := mmap.Load[float64](f)
	wrong := 0
	for i, x := range data {
		if x != float64(i/512) {
			wrong++
		}
	}
	fmt.Println(shape, wrong, "wrong", err)
	// Output: [1000 512] 0 wrong <nil>
}
