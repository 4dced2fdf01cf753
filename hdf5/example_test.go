package hdf5_test

import (
	"context"
	"fmt"
	"log"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
)

func ExampleOpen() {
	r, err := hdf5.Open("testdata/layouts-earliest.h5")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	src, err := r.Source("layouts/gzip")
	if err != nil {
		log.Fatal(err)
	}
	part, err := src.Select(npy.Span(2, 4), npy.SpanFrom(-3)) // two chunks are decoded
	if err != nil {
		log.Fatal(err)
	}
	a, err := part.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a)
	// Output:
	// [[30 31 32]
	//  [41 42 43]]
}

func ExampleReader_Entries() {
	r, err := hdf5.Open("testdata/groups-earliest.h5")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for e := range r.Entries() {
		switch {
		case e.Err != nil:
			fmt.Println(e.Err)
		case e.Group:
			fmt.Printf("group: %s, link: %q\n", e.Path, e.Link)
		}
	}
	// Output:
	// group: groups, link: ""
	// hdf5: "groups/circle": soft link to "/groups/circle": more than 16 soft links follow each other
	// group: groups/cycle, link: "/groups"
	// hdf5: "groups/dangling": soft link to "/nowhere": there is no "nowhere": file does not exist
	// group: groups/empty, link: ""
	// hdf5: "groups/external": external link: its object is in another file, "other.h5", and no other file is opened: unsupported operation
	// group: groups/many, link: ""
	// group: groups/ordered, link: ""
	// group: groups/ordered_many, link: ""
	// group: groups/soft_group, link: "/groups/many"
}

func ExampleReader_Attributes() {
	r, err := hdf5.Open("testdata/groups-earliest.h5")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	attributes, err := r.Attributes("")
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range attributes[:4] {
		fmt.Println(a.Name, a.Value)
	}
	// Output:
	// title fixture
	// Größe μm
	// n 5
	// vec [0. 1. 2. 3.]
}

func ExampleFormat() {
	formats := container.Formats{hdf5.Format(hdf5.Decoder{MaxBytes: 1 << 30}, hdf5.Encoder{})}
	f, err := formats.Open("testdata/userblock.h5")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Format())
	e, err := f.Entry("groups/many/d03")
	fmt.Println(e.Shape, e.Stored, err)
	// Output:
	// HDF5, superblock 0, after a user block of 1024 bytes
	// [] 2 <nil>
}
