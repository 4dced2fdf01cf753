package all_test

import (
	"fmt"
	"log"

	"github.com/npygo/npy/container/all"
	"github.com/npygo/npy/hdf5"
)

func ExampleOpen() {
	f, err := all.Open("../../testdata/numpy-2.3.5/stored.npz") // or an .npy, .h5, .nc or .mat file
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for e := range f.Entries() {
		fmt.Println(e.Path, e.DType, e.Shape)
	}
	// Output:
	// x <f8 [2 3]
	// é/y >i2 [2]
	// obj |O [2]
	// rec [('i', '>i4'), ('f', '<f8'), ('s', '|S4'), ('u', '<U2'), ('b', '|b1'), ('t', '<M8[D]')] [2]
	// arr_0 <i8 []
}

func ExampleFormats() {
	f, ok := all.Formats().ForName("run.nc4")
	fmt.Println(f.Name, ok)
	f, ok = all.Formats().ForName("run.nc")
	fmt.Println(f.Name, ok)
	// Output:
	//  false
	// netCDF true
}

func ExampleDecoder_Formats() {
	d := all.Decoder{HDF5: hdf5.Decoder{MaxBytes: 1 << 10}} // of one array
	formats := d.Formats(all.Encoder{})
	f, err := formats.Open("../../hdf5/testdata/groups-earliest.h5")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Format())
	// Output:
	// HDF5, superblock 0
}
