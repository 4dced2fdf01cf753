package convert_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
)

// temporary returns a path in a folder of its own, and a function that removes the folder.
func temporary(name string) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, name), func() { os.RemoveAll(dir) }
}

// The name of a file says its format.
func ExampleWriteFile() {
	path, remove := temporary("a.tsv")
	defer remove()
	a, err := npy.FromSlice([]int16{1, 2, 3, 4}, 2, 2)
	if err != nil {
		panic(err)
	}
	if err := convert.WriteFile(context.Background(), path, a, convert.WriteOptions{}); err != nil {
		panic(err)
	}
	text, err := os.ReadFile(path)
	fmt.Printf("%q %v\n", text, err)
	fmt.Println(convert.WriteFile(context.Background(), "a.xyz", a, convert.WriteOptions{}))
	// Output:
	// "1\t2\n3\t4\n" <nil>
	// convert: no format has the extension of "a.xyz", want one of .csv, .tsv, .json, .ndjson, .jsonl, .txt, .png, .md, .tex
}

func ExampleReadFile() {
	path, remove := temporary("a.json")
	defer remove()
	if err := os.WriteFile(path, []byte("[[1, 2], [3, 4]]"), 0o600); err != nil {
		panic(err)
	}
	a, report, err := convert.ReadFile(context.Background(), path, convert.ReadOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.DType.Name(), report.Inferred)
	fmt.Println(a)
	// Output:
	// int64 true
	// [[1 2]
	//  [3 4]]
}

// A file whose name does not say its format is written by the converter of the format.
func ExampleConverter_WriteFile() {
	path, remove := temporary("table.dat")
	defer remove()
	a, err := npy.FromSlice([]float64{0.5, 1})
	if err != nil {
		panic(err)
	}
	csv, err := convert.Standard().Find(convert.CSV)
	if err != nil {
		panic(err)
	}
	if err := csv.WriteFile(context.Background(), path, a, convert.WriteOptions{}); err != nil {
		panic(err)
	}
	back, _, err := csv.ReadFile(context.Background(), path, convert.ReadOptions{})
	fmt.Println(back, err)
	// Output: [0.5 1. ] <nil>
}

// A text becomes an .npy file without being held in memory.
func ExampleCopyFrom() {
	var file bytes.Buffer
	report, err := convert.CopyFrom(context.Background(), &file, strings.NewReader("x,y\n1,2\n3,4\n"), convert.CSV, convert.ReadOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Shape, report.Header)
	a, err := npy.Read(&file)
	if err != nil {
		panic(err)
	}
	fmt.Println(a)
	// Output:
	// [2] true
	// x  y
	// 1  2
	// 3  4
}

func ExampleStandard() {
	for _, c := range convert.Standard() {
		fmt.Println(c.Title, c.Endings, c.Read != nil)
	}
	// Output:
	// CSV [.csv] true
	// TSV [.tsv] true
	// JSON [.json] true
	// NDJSON [.ndjson .jsonl] true
	// text of numpy.savetxt [.txt] true
	// PNG image [.png] true
	// Markdown [.md] false
	// LaTeX [.tex] false
}

func ExampleEndings() {
	fmt.Println(convert.Endings())
	// Output: [.csv .tsv .json .ndjson .jsonl .txt .png .md .tex]
}

// A table has a word of its own for missing values.
func ExampleDefaultMissing() {
	o := convert.ReadOptions{Table: convert.TableOptions{Missing: append(convert.DefaultMissing(), "unknown")}}
	a, report, err := convert.Read(context.Background(), strings.NewReader("1.5\nunknown\nNA\n"), convert.CSV, o)
	fmt.Println(a, report.Missing, err)
	// Output: [1.5 nan nan] 2 <nil>
}

func ExampleParseEncoding() {
	encoding, err := convert.ParseEncoding("ISO-8859-1")
	if err != nil {
		panic(err)
	}
	o := convert.ReadOptions{Table: convert.TableOptions{Encoding: encoding}}
	a, _, err := convert.Read(context.Background(), strings.NewReader("caf\xe9\n"), convert.CSV, o)
	fmt.Println(encoding, a, err)
	// Output: latin-1 ['café'] <nil>
}

func ExampleWriteRaw() {
	a, err := npy.FromSlice([]uint8{1, 2, 3})
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	err = convert.WriteRaw(context.Background(), &b, a, npy.Copier{})
	fmt.Println(b.Bytes(), err)
	// Output: [1 2 3] <nil>
}

func ExampleWriteRawFile() {
	path, remove := temporary("a.raw")
	defer remove()
	a, err := npy.FromSlice([]uint8{1, 2, 3})
	if err != nil {
		panic(err)
	}
	if err := convert.WriteRawFile(context.Background(), path, a, npy.Copier{}); err != nil {
		panic(err)
	}
	data, err := os.ReadFile(path)
	fmt.Println(data, err)
	// Output: [1 2 3] <nil>
}
