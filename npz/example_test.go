package npz_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// The names, shapes and dtypes of an archive are read from its headers alone.
func ExampleOpen() {
	z, err := npz.Open("../testdata/numpy-2.3.5/stored.npz")
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	for _, name := range z.Names() {
		info, err := z.Info(name)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(name, info.Header.Shape, info.Header.DType.Kind(), info.Entry.Method, info.Entry.Size)
	}
	a, err := z.Array("é/y")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a)
	_, err = z.Array("z")
	fmt.Println(errors.Is(err, fs.ErrNotExist), err)
	// Output:
	// x [2 3] float store 176
	// é/y [2] int store 132
	// obj [2] object store 285
	// rec [2] void store 258
	// arr_0 [] int store 136
	// [1 2]
	// true npz: member "z": not in the archive, which has ["x" "é/y" "obj" "rec" "arr_0"]: file does not exist
}

func ExampleLoad() {
	z, err := npz.Open("../testdata/numpy-2.3.5/deflated.npz")
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	data, shape, err := npz.Load[float64](z, "x")
	fmt.Println(data, shape, err)
	// Output:
	// [0 1 2 3 4 5] [2 3] <nil>
}

// Only the bytes of the last row are read.
func ExampleReader_Slice() {
	z, err := npz.Open("../testdata/numpy-2.3.5/stored.npz")
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	row, err := z.Slice("x", npy.At(-1))
	fmt.Println(row, err)
	// Output:
	// [3. 4. 5.] <nil>
}

// The array is used in the mapped file, without reading it whole.
func ExampleReader_Map() {
	z, err := npz.Open("../testdata/numpy-2.3.5/stored.npz")
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	m, err := z.Map("x")
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	fmt.Println(m.Array())
	// Output:
	// [[0. 1. 2.]
	//  [3. 4. 5.]]
}

// Every array of an archive is read ahead of the loop, on all processors.
func ExampleReader_All() {
	z, err := npz.Open("../testdata/numpy-2.3.5/deflated.npz")
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	for m, err := range z.All() {
		if err != nil {
			fmt.Println(m.Name, "is left out:", errors.Is(err, npy.ErrObjects))
			continue
		}
		fmt.Println(m.Name, m.Array.NBytes())
	}
	// Output:
	// x 48
	// é/y 4
	// obj is left out: true
	// rec 66
	// arr_0 8
}

// A member is opened by the name of its array.
func ExampleReader_OpenMember() {
	z, err := npz.Open("../testdata/numpy-2.3.5/stored.npz")
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	r, err := z.OpenMember("é/y")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	n, err := io.Copy(io.Discard, r) // the bytes of an .npy file
	fmt.Println(n > 128, err)
	// Output: true <nil>
}

// A Reader is a file system.
func ExampleReader_Open() {
	z, err := npz.Open("../testdata/numpy-2.3.5/stored.npz")
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	err = fs.WalkDir(z, ".", func(path string, d fs.DirEntry, err error) error {
		fmt.Println(path, d.IsDir())
		return err
	})
	fmt.Println(err)
	// Output:
	// . true
	// arr_0.npy false
	// obj.npy false
	// rec.npy false
	// x.npy false
	// é true
	// é/y.npy false
	// <nil>
}

// The members of an archive become files with names that are valid on every system.
func ExampleUnpackFile() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()

	path := filepath.Join(dir, "model.npz")
	a, err := npy.FromSlice([]float64{1, 2})
	if err != nil {
		log.Fatal(err)
	}
	if err := npz.SaveMap(path, map[string]*npy.Array{"weights": a, "12:30": a}); err != nil {
		log.Fatal(err)
	}
	z, err := npz.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	names := z.PortableNames()
	for i, e := range z.Entries() {
		to := e
		to.Name = names[i]
		if err := to.CheckName(); err != nil { // it leads out of the folder
			log.Fatal(err)
		}
		f, err := z.Open(e.Name)
		if err != nil {
			log.Fatal(err)
		}
		if err := npz.UnpackFile(root, names[i], f, false); err != nil {
			log.Fatal(err)
		}
		f.Close()
		fmt.Println(e.Name, "->", names[i])
	}
	// Output:
	// 12:30.npy -> 12%3A30.npy
	// weights.npy -> weights.npy
}

func ExampleExtend() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "log.npz")
	for _, name := range []string{"monday", "tuesday"} { // the first makes the archive; other processes may add to it, too
		day, err := npy.FromSlice([]float64{1, 2, 3})
		if err != nil {
			log.Fatal(err)
		}
		if err := npz.Extend(path, func(ed *npz.Editor) error { return ed.Add(name, day) }); err != nil {
			log.Fatal(err)
		}
	}
	z, err := npz.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	fmt.Println(z.Names())
	// Output: [monday tuesday]
}
