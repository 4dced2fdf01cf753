package container_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/npz"
)

// archive returns an archive of two arrays in memory.
func archive() *bytes.Reader {
	var file bytes.Buffer
	w, err := npz.NewWriter(&file)
	if err != nil {
		log.Fatal(err)
	}
	if err := npz.Add(w, "layer1/w", []int16{1, 2, 3, 4}, 2, 2); err != nil {
		log.Fatal(err)
	}
	if err := npz.Add(w, "layer1/b", []int16{5, 6}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return bytes.NewReader(file.Bytes())
}

// written calls put with a Writer of an HDF5 file, and opens the file.
func written(put func(w container.Writer) error, use func(f *container.File)) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.h5")
	formats := container.Formats{hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{})}
	if err := formats.Create(path, container.WriteOptions{}, put); err != nil {
		log.Fatal(err)
	}
	f, err := formats.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	use(f)
}

// The only array of an .npy file has a fixed path.
func ExampleNPY() {
	var file bytes.Buffer
	if err := npy.SaveTo(&file, []float32{1, 2, 3}); err != nil {
		log.Fatal(err)
	}
	r := bytes.NewReader(file.Bytes())
	c, err := container.NPY(npy.Decoder{}, npy.Encoder{}).Open(r, r.Size())
	if err != nil {
		log.Fatal(err)
	}
	e, err := c.Entry(container.NPYPath)
	fmt.Println(e.Path, e.DType.Name(), e.Shape, err)
	// Output: data float32 [3] <nil>
}

// Members of an archive are arrays by their names, without the ending .npy.
func ExampleNPZ() {
	r := archive()
	c, err := container.NPZ(npz.Decoder{}, npz.Encoder{}).Open(r, r.Size())
	if err != nil {
		log.Fatal(err)
	}
	for e := range c.Entries() {
		fmt.Println(e.Path, e.DType.Name(), e.Shape, e.Checksum)
	}
	// Output:
	// layer1/w int16 [2 2] CRC-32
	// layer1/b int16 [2] CRC-32
}

// The first four bytes are enough.
func ExampleIsArchive() {
	fmt.Println(container.IsArchive([]byte("PK\x03\x04")), container.IsArchive([]byte("\x93NUM")))
	// Output: true false
}

// An archive has members of any kind, and the memory of the file: its Reader has methods for them.
func ExampleArchiveOf() {
	r := archive()
	c, err := container.Formats{container.NPZ(npz.Decoder{}, npz.Encoder{})}.NewReader(r, r.Size())
	if err != nil {
		log.Fatal(err)
	}
	if z := container.ArchiveOf(c); z != nil {
		for _, e := range z.Entries() {
			fmt.Println(e.Name, e.Method)
		}
	}
	// Output:
	// layer1/w.npy deflate
	// layer1/b.npy deflate
}

// A program that writes any format adds a note that only archives can hold.
func ExampleArchiveWriterOf() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.npz")
	formats := container.Formats{container.NPZ(npz.Decoder{}, npz.Encoder{})}
	err = formats.Create(path, container.WriteOptions{}, func(w container.Writer) error {
		if z := container.ArchiveWriterOf(w); z != nil {
			return z.AddBytes("README", []byte("made by hand"))
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	z, err := npz.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	fmt.Println(z.Names())
	// Output: [README]
}

// The names of arrays are read without the arrays.
func ExampleNames() {
	r := archive()
	c, err := container.NPZ(npz.Decoder{}, npz.Encoder{}).Open(r, r.Size())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(container.Names(c))
	// Output: [layer1/w layer1/b]
}

// An array is written with its unit.
func ExamplePut() {
	speed, err := npy.FromSlice([]float32{1.5, 2.5})
	if err != nil {
		log.Fatal(err)
	}
	unit, err := npy.FromObjects([]any{"m/s"})
	if err != nil {
		log.Fatal(err)
	}
	written(func(w container.Writer) error {
		return container.Put(context.Background(), w, container.Entry{Path: "wind/speed"}, []container.Attribute{{Name: "units", Value: unit}}, speed)
	}, func(f *container.File) {
		attributes, err := f.Attributes("wind/speed")
		fmt.Println(container.Names(f), attributes[0].Name, attributes[0].Value, err)
	})
	// Output: [wind/speed] units ['m/s'] <nil>
}

// A second name for an array that has been written takes no room.
func ExamplePutLink() {
	speed, err := npy.FromSlice([]float32{1.5, 2.5})
	if err != nil {
		log.Fatal(err)
	}
	written(func(w container.Writer) error {
		if err := container.Put(context.Background(), w, container.Entry{Path: "speed"}, nil, speed); err != nil {
			return err
		}
		ok, err := container.PutLink(w, container.Entry{Path: "velocity", Link: "/speed", LinkKind: container.SoftLink, LinkTarget: "/speed"})
		fmt.Println(ok)
		return err
	}, func(f *container.File) {
		e, err := f.Entry("velocity")
		fmt.Println(e.Link, e.LinkKind, e.Shape, err)
	})
	// Output:
	// true
	// /speed soft [2] <nil>
}

// What a file of another format would lose is known before it is written.
func ExampleLossesOf() {
	e := container.Entry{Path: "speed", MaxShape: []int{container.Unlimited}, Dims: []string{"time"}}
	for _, loss := range container.LossesOf(e, nil, container.NPZ(npz.Decoder{}, npz.Encoder{}).Has) {
		fmt.Println(loss)
	}
	// Output:
	// the names of the dimensions (time)
	// the maximum shape (unlimited)
}

// A copy of this file has all that is in it.
func ExampleOmitted() {
	written(func(w container.Writer) error {
		zero, err := npy.FromSlice([]int8{0})
		if err != nil {
			return err
		}
		return container.Put(context.Background(), w, container.Entry{Path: "zero"}, nil, zero)
	}, func(f *container.File) {
		fmt.Println(len(container.Omitted(f)))
	})
	// Output: 0
}

// The root of a file is a group without a name.
func ExampleRootOf() {
	r := archive()
	c, err := container.NPZ(npz.Decoder{}, npz.Encoder{}).Open(r, r.Size())
	if err != nil {
		log.Fatal(err)
	}
	root := container.RootOf(c)
	fmt.Printf("%q %v %v\n", root.Path, root.Group, root.Dims)
	// Output: "" true []
}
