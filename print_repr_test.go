package npy_test

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
)

const askRepr = `
import base64, io
print(json.dumps(np.__version__))
for line in sys.stdin:
    print(json.dumps(repr(np.load(io.BytesIO(base64.b64decode(json.loads(line)))))))
`

// The repr of an array is Python's, line breaks and the position of the dtype included.
func TestReprLive(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 1))
	descrs := []string{"<i4", "<i8", "|i1", "<u8", ">i2", "|b1", "|S3", "<U5", "<M8[s]", "<m8[D]", "|V3", "<f8", "<c16", "<U40", "|S70"}
	var questions []string
	var files [][]byte
	for i := range 1500 {
		d := parse(descrs[i%len(descrs)])
		shape := []int{r.IntN(60)}
		if r.IntN(3) == 0 {
			shape = []int{r.IntN(4), 1 + r.IntN(30)}
		}
		n := 1
		for _, k := range shape {
			n *= k
		}
		raw := make([]byte, n*d.ItemSize())
		for j := range raw {
			switch d.Descr()[1] {
			case 'U': // one byte of four, so that it is a character
				if j%4 == 0 {
					raw[j] = byte('a' + r.IntN(26))
				}
			case 'f', 'c': // small whole numbers
				if j%8 > 5 {
					raw[j] = []byte{0, 0x40}[j%2]
				}
			case 'S':
				raw[j] = byte('a' + r.IntN(26))
			case 'b':
				raw[j] = byte(r.IntN(2))
			default:
				raw[j] = byte(r.Uint32()) >> r.IntN(8)
			}
		}
		var b bytes.Buffer
		if err := npy.Write(&b, must(npy.FromBytes(d, raw, shape...))); err != nil {
			t.Fatal(err)
		}
		questions = append(questions, base64.StdEncoding.EncodeToString(b.Bytes()))
		files = append(files, b.Bytes())
	}
	version, answers := oracle.Ask[string, string](t, askRepr, questions)
	for i, want := range answers {
		got := must(npy.Read(bytes.NewReader(files[i]))).Repr(0)
		if version[0] == '1' { // NumPy 1 leaves the byte order out
			got = strings.Replace(got, "dtype='>i2'", "dtype=int16", 1)
		}
		if got != want {
			t.Errorf("%.60q: Repr gives\n%s\nwant\n%s", files[i][10:], got, want)
		}
	}
}
