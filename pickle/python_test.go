package pickle

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy/internal/oracle"
)

// A sample is a pickle made by Python, with the description of the value that Python reads from it.
type sample struct {
	protocol int
	data     []byte
	want     string
}

// samples asks Python for the pickles of n random values, each in up to six protocols.
func samples(t testing.TB, count string) []sample {
	t.Helper()
	script, err := os.ReadFile("testdata/values.py")
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(oracle.Python(t, string(script), nil, count)))
	var all []sample
	for {
		var row []any
		err := dec.Decode(&row)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(row[1].(string))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sample{int(row[0].(float64)), data, row[2].(string)})
	}
}

// TestAgainstPython compares values of all known types, shared and cyclic ones too, in each protocol.
func TestAgainstPython(t *testing.T) {
	all := samples(t, "700")
	if len(all) < 3000 {
		t.Fatalf("only %d pickles", len(all))
	}
	for _, s := range all {
		v, err := Decode(s.data)
		if err != nil {
			t.Fatalf("protocol %d: Decode(%q): %v, want %s", s.protocol, s.data, err, s.want)
		}
		if got := describe(v); got != s.want {
			t.Fatalf("protocol %d: Decode(%.4000q) %s", s.protocol, s.data, difference(got, s.want))
		}
	}
}

// TestStreams reads all the samples from one stream, through readers of all sorts. Each sample begins at the end of the
// previous one.
func TestStreams(t *testing.T) {
	all := samples(t, "60")
	var stream bytes.Buffer
	for _, s := range all {
		stream.Write(s.data)
	}
	const trailer = "and the rest"
	stream.WriteString(trailer)
	for name, reader := range map[string]func(io.Reader) io.Reader{
		"plain":          func(r io.Reader) io.Reader { return io.MultiReader(r) }, // hides all other methods
		"bytes.Buffer":   func(r io.Reader) io.Reader { return r },
		"one byte":       iotest.OneByteReader,
		"data with EOF":  iotest.DataErrReader,
		"buffered":       func(r io.Reader) io.Reader { return bufio.NewReader(r) },
		"small buffer":   func(r io.Reader) io.Reader { return bufio.NewReaderSize(r, 16) },
		"large buffer":   func(r io.Reader) io.Reader { return bufio.NewReaderSize(r, 1<<20) },
		"buffered bytes": func(r io.Reader) io.Reader { return bufio.NewReader(iotest.OneByteReader(r)) },
	} {
		r := reader(bytes.NewBuffer(stream.Bytes()))
		for i, s := range all {
			v, err := Decoder{}.Decode(r)
			if err != nil {
				t.Fatalf("%s: pickle %d, protocol %d: %v", name, i, s.protocol, err)
			}
			if got := describe(v); got != s.want {
				t.Fatalf("%s: pickle %d, protocol %d: %s", name, i, s.protocol, difference(got, s.want))
			}
		}
		if rest, err := io.ReadAll(r); string(rest) != trailer || err != nil {
			t.Errorf("%s: after the pickles there is %.40q, %v, want %q", name, rest, err, trailer)
		}
		if _, err := (Decoder{}).Decode(r); err != io.EOF {
			t.Errorf("%s: at the end the error is %v, want io.EOF", name, err)
		}
	}
	rest := stream.Bytes()
	for i := range all {
		var err error
		if _, rest, err = (Decoder{}).DecodeBytes(rest); err != nil {
			t.Fatalf("DecodeBytes: pickle %d: %v", i, err)
		}
	}
	if string(rest) != trailer {
		t.Errorf("DecodeBytes leaves %.40q, want %q", rest, trailer)
	}
}

// TypeName returns the name that Python's type(v).__name__ has.
func TestTypeName(t *testing.T) {
	var rows [][2]string
	err := json.Unmarshal(oracle.Python(t, `
import collections, datetime, decimal, fractions, json, pickle, sys, uuid
values = [None, True, 1, 10**30, 1.5, 1j, 'a', b'a', bytearray(b'a'), [], (1,), {}, {1}, frozenset([1]), slice(1), range(3), ..., NotImplemented,
	collections.OrderedDict(), collections.defaultdict(list), collections.Counter(), datetime.datetime(2024, 1, 1), datetime.date(2024, 1, 1),
	datetime.time(1), datetime.timedelta(1), datetime.timezone.utc, decimal.Decimal('1.5'), fractions.Fraction(1, 2), uuid.UUID(int=5), int]
json.dump([[pickle.dumps(v, 4).hex(), type(v).__name__] for v in values], sys.stdout)
`, nil), &rows)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 30 {
		t.Fatalf("%d values", len(rows))
	}
	for _, row := range rows {
		data, err := hex.DecodeString(row[0])
		if err != nil {
			t.Fatal(err)
		}
		v, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if got := TypeName(v); got != row[1] {
			t.Errorf("TypeName of %s is %q, want %q", Repr(v), got, row[1])
		}
	}
}
