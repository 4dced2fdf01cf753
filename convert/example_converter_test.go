package convert_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// toySound is a format from outside this package: mono sound of 8 bits, as bytes after a line with their count.
func toySound() convert.Converter {
	return convert.Converter{
		Format: "toy", Endings: []string{".toy"}, Binary: true, Kept: "uint8 of one dimension",
		Write: func(ctx context.Context, w io.Writer, src npy.Source, o convert.WriteOptions) error {
			if !src.DType().Equal(dtype.Uint8) || len(src.Shape()) != 1 {
				return fmt.Errorf("a toy is of uint8 and one dimension, not %s", src.DType())
			}
			fmt.Fprintln(w, src.Shape()[0])
			for block, err := range src.Blocks(ctx, o.Memory) {
				if err != nil {
					return err
				}
				if _, err := w.Write(block.Bytes()); err != nil {
					return err
				}
			}
			return nil
		},
		Read: func(_ context.Context, to convert.Sink, r io.Reader, _ convert.ReadOptions) (convert.Report, error) {
			var n int
			if _, err := fmt.Fscanf(r, "%d\n", &n); err != nil {
				return convert.Report{}, err
			}
			if err := to.Begin(dtype.Uint8, []int{n}); err != nil {
				return convert.Report{}, err
			}
			block := make([]byte, 4096)
			for {
				n, end := r.Read(block)
				if err := to.Write(block[:n]); err != nil {
					return convert.Report{}, err
				}
				if end == io.EOF {
					return convert.Report{}, nil
				}
				if end != nil {
					return convert.Report{}, end
				}
			}
		},
	}
}

// A format from outside is one more converter in the list.
func ExampleConverter() {
	formats := append(convert.Standard(), toySound())
	f, _ := formats.ForFile("beep.toy")

	a, err := npy.FromSlice([]uint8{'n', 'p', 'y'})
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	if err := formats.Write(context.Background(), &b, f, a, convert.WriteOptions{}); err != nil {
		panic(err)
	}
	fmt.Printf("%q\n", b.String())

	back, _, err := formats.Read(context.Background(), &b, f, convert.ReadOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Println(back, back.DType())
	// Output:
	// "3\nnpy"
	// [110 112 121] |u1
}

// A header that states more bytes than the data has allocates nothing, and is an error.
func ExampleFormats_Read() {
	formats := append(convert.Standard(), toySound())
	_, _, err := formats.Read(context.Background(), bytes.NewBufferString("1000000000\nabc"), "toy", convert.ReadOptions{})
	fmt.Println(err)
	// Output: convert: the data ends after 3 of 1000000000 bytes: unexpected EOF
}

func ExampleFormats_Losses() {
	t := dtype.Float32
	fmt.Println(convert.Standard().Losses(convert.CSV, t, []int{10, 3}))
	fmt.Println(convert.Standard().Losses(convert.PNG, dtype.Uint8, []int{10, 3}))
	// Output:
	// [the dtype, unless it is given again when reading]
	// []
}

// A table of any size becomes an .npy file.
func ExampleCopyFileFrom() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	report, err := convert.CopyFileFrom(context.Background(), dir+"/a.npy", bytes.NewBufferString("1,2\n3,4\n"), convert.CSV, convert.ReadOptions{DType: dtype.Float32})
	if err != nil {
		panic(err)
	}
	a, err := npy.ReadFile(dir + "/a.npy")
	if err != nil {
		panic(err)
	}
	fmt.Println(report.DType.Name(), report.Shape)
	fmt.Println(a)
	// Output:
	// float32 [2 2]
	// [[1. 2.]
	//  [3. 4.]]
}
