package npz_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// archiveOf returns an archive of two members.
func archiveOf(t *testing.T, enc npz.Encoder) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := enc.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if err := npz.Add(w, name, []int32{1, 2, 3}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnclaimed(t *testing.T) {
	for _, enc := range []npz.Encoder{{}, {Store: true}, {Store: true, Align: -1}} {
		whole := archiveOf(t, enc)
		z, err := npz.NewReader(bytes.NewReader(whole), int64(len(whole)))
		if err != nil {
			t.Fatal(err)
		}
		second := int(z.Entries()[1].HeaderOffset)
		end := len(whole) - 22
		directory := int(binary.LittleEndian.Uint32(whole[end+16:]))

		between := bytes.Clone(whole[:directory])
		between = append(append(between, "in between"...), whole[directory:]...)
		binary.LittleEndian.PutUint32(between[len(between)-6:], uint32(directory+10))

		damaged := bytes.Clone(whole)
		damaged[second+30] = 'x' // the name in the header of the second member

		commented := append(bytes.Clone(whole), "comment"...)
		binary.LittleEndian.PutUint16(commented[len(whole)-2:], 7)

		for _, test := range []struct {
			name string
			file []byte
			want []npy.Range
		}{
			{"an archive", whole, nil},
			{"something before it", append([]byte("before"), whole...), []npy.Range{{Start: 0, End: 6}}},
			{"something after it", append(bytes.Clone(whole), "after"...), []npy.Range{{Start: int64(len(whole)), End: int64(len(whole) + 5)}}},
			{"something before the directory", between, []npy.Range{{Start: int64(directory), End: int64(directory + 10)}}},
			{"a comment", commented, nil},
			{"another name in a header", damaged, []npy.Range{{Start: int64(second), End: int64(directory)}}},
		} {
			z, err := npz.NewReader(bytes.NewReader(test.file), int64(len(test.file)))
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
				continue
			}
			got, err := z.Unclaimed()
			if !reflect.DeepEqual(got, test.want) || err != nil {
				t.Errorf("%+v: %s: Unclaimed = %v, %v, want %v", enc, test.name, got, err, test.want)
			}
		}
	}
}

// In the archives of zipfile every byte is claimed, in files and in streams, where data descriptors follow the data.
func TestUnclaimedOfZipfile(t *testing.T) {
	out := oracle.Python(t, `
import sys, io, zipfile
class Stream(io.RawIOBase):
    def __init__(self): self.b = io.BytesIO()
    def writable(self): return True
    def write(self, d): return self.b.write(bytes(d))
for stream in False, True:
    for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
        for force in False, True:
            f = Stream() if stream else io.BytesIO()
            with zipfile.ZipFile(f, 'w', method) as z:
                for name in 'a.npy', 'b':
                    with z.open(name, 'w', force_zip64=force) as m: m.write(b'x' * 1000)
                z.comment = b'c' * 5
            b = f.b.getvalue() if stream else f.getvalue()
            sys.stdout.buffer.write(len(b).to_bytes(4, 'big') + b)
`, nil)
	n := 0
	for ; len(out) > 0; n++ {
		size := 4 + int(binary.BigEndian.Uint32(out))
		z, err := npz.NewReader(bytes.NewReader(out[4:size]), int64(size-4))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := z.Unclaimed(); len(got) > 0 || err != nil {
			t.Errorf("archive %d: Unclaimed = %v, %v, want nothing", n, got, err)
		}
		out = out[size:]
	}
	if n != 8 {
		t.Errorf("%d archives", n)
	}
}
