package dtype_test

import (
	"fmt"

	"github.com/npygo/npy/dtype"
)

func ExampleParse() {
	for _, text := range []string{"<f8", "float32", "M8[25s]", "i4, (2,2)>f4", "<f7"} {
		t, err := dtype.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(t.Kind(), t.ItemSize(), t.WithByteOrder(dtype.LittleEndian))
	}
	// Output:
	// float 8 <f8
	// float 4 <f4
	// datetime 8 <M8[25s]
	// void 20 [('f0', '<i4'), ('f1', '<f4', (2, 2))]
	// dtype: invalid at byte 0: data type is not understood: "<f7"
}

func ExampleParseDescr() {
	t, err := dtype.ParseDescr("[('time', '<M8[us]'), ('', '|V4'), ('wave', '>i2', (3, 500))]")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.ItemSize(), "bytes")
	wave, _ := t.FieldByName("wave")
	fmt.Println(wave.Name, "at", wave.Offset, "has", wave.DType.SubShape(), wave.DType.Elem())

	_, err = dtype.ParseDescr("[('time', '<M8[us]'), ('wave', '>i2', (3, -1))]")
	fmt.Println(err)
	// Output:
	// 3012 bytes
	// wave at 12 has [3 500] >i2
	// dtype: invalid at byte 42 ([1].shape): negative dimension -1 in a subarray
}

func ExampleType_Name() {
	names := []dtype.Type{dtype.Float64, dtype.Str(3), dtype.Datetime64(dtype.Step{Num: 25, Unit: dtype.Second})}
	for _, t := range names {
		fmt.Println(t.Name(), t.ItemSize())
	}
	// Output:
	// float64 8
	// str96 12
	// datetime64[25s] 8
}

func ExampleStruct() {
	t, err := dtype.Struct(16,
		dtype.Field{Name: "id", DType: dtype.Uint8},
		dtype.Field{Name: "value", DType: dtype.Float64.WithByteOrder(dtype.LittleEndian), Offset: 8},
	)
	fmt.Println(t, err)
	// Output: [('id', '|u1'), ('', '|V7'), ('value', '<f8')] <nil>
}

func ExampleType_Fields() {
	t, err := dtype.Parse("[(('Name of the station', 'station'), '|S5'), ('', '|V3'), ('position', '<f8', (2,))]")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range t.Fields() {
		fmt.Printf("%-8s at %d: %v %q\n", f.Name, f.Offset, f.DType, f.Title)
	}
	// Output:
	// station  at 0: |S5 "Name of the station"
	// position at 8: ('<f8', (2,)) ""
}
