package parts_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/parts"
)

// twoDays calls an example with a folder of two .npy files and the manifest days.npy.json of both.
func twoDays(example func(dir, manifest string)) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for i, name := range []string{"day-1.npy", "day-2.npy"} {
		if err := npy.Save(filepath.Join(dir, name), []float32{float32(i), float32(10 * i)}, 1, 2); err != nil {
			log.Fatal(err)
		}
	}
	m, err := parts.Scan(context.Background(), 0, []string{"day-1.npy", "day-2.npy"}, parts.Dir(dir, npy.Decoder{}))
	if err != nil {
		log.Fatal(err)
	}
	manifest := filepath.Join(dir, "days.npy.json")
	if err := m.WriteFile(manifest); err != nil {
		log.Fatal(err)
	}
	example(dir, manifest)
}

// Scan looks at the header of each file.
func ExampleScan() {
	twoDays(func(dir, _ string) {
		m, err := parts.Scan(context.Background(), -1, []string{"day-1.npy", "day-2.npy"}, parts.Dir(dir, npy.Decoder{}))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Shape, "along axis", m.Axis)
		for _, p := range m.Parts {
			fmt.Println(p.Path, p.Rows)
		}
	})
	// Output:
	// [1 4] along axis 1
	// day-1.npy 2
	// day-2.npy 2
}

// Parts are .npy files of a folder, with the limits of a Decoder for files that are not trusted.
func ExampleDir() {
	twoDays(func(dir, manifest string) {
		m, err := parts.ReadFile(manifest)
		if err != nil {
			log.Fatal(err)
		}
		a, err := m.Open(parts.Dir(dir, npy.Decoder{MaxBytes: 1 << 20}))
		if err != nil {
			log.Fatal(err)
		}
		defer a.Close()
		fmt.Println(a.Shape())
	})
	// Output: [2 2]
}

func ExampleOpenFile() {
	twoDays(func(_, manifest string) {
		a, err := parts.OpenFile(manifest)
		if err != nil {
			log.Fatal(err)
		}
		defer a.Close()
		all, err := a.ReadAll(context.Background())
		fmt.Println(all, err)
	})
	// Output:
	// [[ 0.  0.]
	//  [ 1. 10.]] <nil>
}

// A manifest is read without its parts.
func ExampleReadFile() {
	twoDays(func(_, manifest string) {
		m, err := parts.ReadFile(manifest)
		fmt.Println(m.DType.Name(), m.Shape, len(m.Parts), err)
	})
	// Output: float32 [2 2] 2 <nil>
}

// A program that takes any file looks at the first bytes.
func ExampleIsManifest() {
	twoDays(func(dir, manifest string) {
		for _, path := range []string{manifest, filepath.Join(dir, "day-1.npy")} {
			data, err := os.ReadFile(path)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(filepath.Base(path), parts.IsManifest(data[:64]))
		}
	})
	// Output:
	// days.npy.json true
	// day-1.npy false
}

// The checksum of a part is compared before anybody relies on the part.
func ExampleChecksum() {
	sum, err := parts.Checksum(strings.NewReader("123456789"))
	fmt.Println(parts.Part{Path: "a.npy", Rows: 1, CRC32: sum}.CRC32, err)
	// Output: cbf43926 <nil>
}

// Paths that lead out of the folder are refused, on every system in the same way.
func ExampleCheckPath() {
	for _, path := range []string{"2026/day-1.npy", "../day-1.npy", `C:\day-1.npy`} {
		fmt.Println(path, parts.CheckPath(path) == nil)
	}
	// Output:
	// 2026/day-1.npy true
	// ../day-1.npy false
	// C:\day-1.npy false
}

// Structs are sorted by their paths.
func ExampleCompare() {
	list := []parts.Part{{Path: "part-10.npy"}, {Path: "part-9.npy"}}
	slices.SortFunc(list, func(a, b parts.Part) int { return parts.Compare(a.Path, b.Path) })
	fmt.Println(list[0].Path, list[1].Path)
	// Output: part-9.npy part-10.npy
}

// stack calls an example with a folder as dask.array.to_npy_stack writes it.
func stack(example func(dir string)) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	m := parts.Manifest{DType: dtype.Float64, Shape: []int{3}}
	for i, values := range [][]float64{{1, 2}, {3}} {
		name := fmt.Sprint(i, ".npy")
		if err := npy.Save(filepath.Join(dir, name), values); err != nil {
			log.Fatal(err)
		}
		m.Parts = append(m.Parts, parts.Part{Path: name, Rows: len(values)})
	}
	if err := m.WriteStackInfo(dir); err != nil {
		log.Fatal(err)
	}
	example(dir)
}

func ExampleOpenStack() {
	stack(func(dir string) {
		a, err := parts.OpenStack(dir)
		if err != nil {
			log.Fatal(err)
		}
		defer a.Close()
		all, err := a.ReadAll(context.Background())
		fmt.Println(all, err)
	})
	// Output: [1. 2. 3.] <nil>
}

// A manifest of the same files makes the stack an array for programs without dask.
func ExampleReadStack() {
	stack(func(dir string) {
		m, err := parts.ReadStack(dir)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Shape, m.Parts[1].Path, m.WriteFile(filepath.Join(dir, "all.npy.json")))
	})
	// Output: [3] 1.npy <nil>
}

// The file info may come from anywhere, a server for example. It is a pickle, of which nothing is run.
func ExampleParseStackInfo() {
	stack(func(dir string) {
		data, err := os.ReadFile(filepath.Join(dir, parts.StackInfo))
		if err != nil {
			log.Fatal(err)
		}
		m, err := parts.ParseStackInfo(data)
		fmt.Println(m.DType.Name(), m.Shape, m.Axis, err)
	})
	// Output: float64 [3] 0 <nil>
}
