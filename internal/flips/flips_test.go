package flips

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

var page = flag.String("report", "", "the `document` whose section flips gets the counts in the file that NPY_FLIPS names")

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if *page != "" {
		if err := WriteReport(*page); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// A reader that stops before the checksum is found, and one that reaches it is not.
func TestFindsWhatIsNotNoticed(t *testing.T) {
	const text = "some text that is long enough"
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	read := func(all func(z *gzip.Reader) ([]byte, error)) Format {
		return Format{Name: "test", File: b.Bytes(), Read: func(file []byte) (string, error) {
			z, err := gzip.NewReader(bytes.NewReader(file))
			if err != nil {
				return "", err
			}
			data, err := all(z)
			return string(data), err
		}}
	}
	whole := read(func(z *gzip.Reader) ([]byte, error) { return io.ReadAll(z) }).try(t, oracle.Rand(t))
	if whole.Wrong != 0 || whole.Errors == 0 || whole.Errors+whole.Same != whole.Bits {
		t.Errorf("read to the end: %+v", whole.Counts)
	}
	part := read(func(z *gzip.Reader) ([]byte, error) {
		data := make([]byte, len(text))
		_, err := io.ReadFull(z, data)
		return data, err
	}).try(t, oracle.Rand(t))
	if part.Wrong == 0 {
		t.Errorf("read without the checksum: %+v", part.Counts)
	}
}

func TestTable(t *testing.T) {
	text := table([]Counts{{Format: "a", Bits: 8, Errors: 8, Checked: true}, {Format: "b", Bits: 16, Wrong: 16, Agreed: 16, Program: "P"}})
	for _, want := range []string{"2 formats, 24 bits changed", "| a | 0 | 8 | 8 | 0 | 0 |", "| b | 0 | 16 | 0 | 0 | 16 | P: 16 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}
