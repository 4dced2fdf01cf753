package matlab_test

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/matlab"
)

// The shortest members of cells and structs.
var shortMembers = map[string][]byte{
	"no array":    element(14, nil),
	"empty cell":  array("", 1, 0, []int32{1, 0}),
	"a cell":      array("", 1, 0, []int32{1, 1}, element(14, nil)),
	"a number":    array("", 9, 0, []int32{1, 1}, element(2, []byte{1})),
	"empty text":  array("", 4, 0, []int32{0, 0}),
	"no elements": array("", 6, 0, []int32{0, 3}, element(9, nil)),
}

// cellOf returns a cell of n times the same member.
func cellOf(n int, member []byte) []byte {
	return array("v", 1, 0, []int32{1, int32(n)}, bytes.Repeat(member, n))
}

// structsOf returns an array of n structs with the same member.
func structsOf(n int, member []byte) []byte {
	name := element(1, []byte("a\x00\x00\x00\x00\x00\x00\x00"))
	return array("v", 2, 0, []int32{1, int32(n)}, element(5, []byte{8, 0, 0, 0}), name, bytes.Repeat(member, n))
}

// entriesOf counts the entries of a file.
func entriesOf(d matlab.Decoder, data []byte) (n int, err error) {
	m, err := d.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return 0, err
	}
	for e := range m.Entries() {
		n++
		err = errors.Join(err, e.Err)
	}
	return n, err
}

// Without a limit of the caller's choice the entries are in proportion to the file beyond 65,536, and so is the memory,
// however many members a few compressed bytes hold. A file that is not compressed has all of its members.
func TestEntriesInProportion(t *testing.T) {
	const n = 70000
	variables := map[string][]byte{"structs": structsOf(n, shortMembers["no array"])}
	for name, member := range shortMembers {
		variables[name] = cellOf(n, member)
	}
	for name, variable := range variables {
		data := file(compressed(variable))
		most := 1<<16 + len(data)/8
		took := allocated()
		got, err := entriesOf(matlab.Decoder{}, data)
		took = allocated() - took
		var over *npy.LimitError
		if !errors.As(err, &over) || over.Name != "MaxEntries" || over.Limit != int64(most) || got > most {
			t.Errorf("%s: %d entries of %d bytes, error %v, want MaxEntries %d", name, got, len(data), err, most)
		}
		if took > 1500*most {
			t.Errorf("%s: %d bytes of memory for %d entries", name, took, got)
		}
	}
	number := cellOf(n, shortMembers["a number"])
	for _, x := range []struct {
		d    matlab.Decoder
		data []byte
	}{
		{matlab.Decoder{}, file(number)},
		{matlab.Decoder{MaxEntries: -1}, file(compressed(number))},
		{matlab.Decoder{MaxEntries: n + 1}, file(compressed(number))},
	} {
		if got, err := entriesOf(x.d, x.data); got != n+1 || err != nil {
			t.Errorf("MaxEntries %d: %d entries of %d bytes, error %v", x.d.MaxEntries, got, len(x.data), err)
		}
	}
}

// The same for version 7.3, in which objects of a few bytes hold each other.
func TestEntriesInProportion73(t *testing.T) {
	data, err := os.ReadFile("testdata/loop73.mat")
	if err != nil {
		t.Fatal(err)
	}
	got, err := entriesOf(matlab.Decoder{}, data)
	var over *npy.LimitError
	if most := 1<<16 + len(data)/8; !errors.As(err, &over) || over.Limit != int64(most) || got > most {
		t.Errorf("%d entries of %d bytes, error %v", got, len(data), over)
	}
}

func allocated() int {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.TotalAlloc)
}
