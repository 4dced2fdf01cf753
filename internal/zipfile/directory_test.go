package zipfile_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/internal/zipfile"
)

var limits = zipfile.Limits{Members: 1 << 20, Ratio: 1 << 16}

func read(data []byte) (*zipfile.Directory, error) {
	return zipfile.ReadDirectory(bytes.NewReader(data), int64(len(data)), limits)
}

// small returns an archive of three stored members and the offset of its directory.
func small(t testing.TB) (data []byte, directory int) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"a.npy", "b.npy", "é.npy"} {
		f, err := w.CreateRaw(&zip.FileHeader{Name: name, Flags: zipfile.FlagUTF8, CompressedSize64: 5, UncompressedSize64: 5, CRC32: 0x3610a686})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, "hello")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), bytes.Index(b.Bytes(), []byte("PK\x01\x02"))
}

func TestReadDirectory(t *testing.T) {
	data, start := small(t)
	for _, prefix := range []int{0, 1, 100_000} {
		d, err := read(append(bytes.Repeat([]byte{'P'}, prefix), data...))
		if err != nil {
			t.Fatal(err)
		}
		if d.Offset != int64(start+prefix) || d.Prefix != int64(prefix) || len(d.Entries) != 3 {
			t.Errorf("%d bytes in front: directory at %d, prefix %d, %d entries", prefix, d.Offset, d.Prefix, len(d.Entries))
		}
		for i, name := range []string{"a.npy", "b.npy", "é.npy"} {
			e := d.Entries[i]
			if e.Name != name || e.Size != 5 || e.CompressedSize != 5 || e.CRC32 != 0x3610a686 || e.Method != zipfile.Store || e.Err() != nil {
				t.Errorf("%d bytes in front: entry %d is %+v", prefix, i, e)
			}
			if want := int64(prefix + i*(30+5+5)); e.HeaderOffset != want {
				t.Errorf("%d bytes in front: entry %d is at %d, want %d", prefix, i, e.HeaderOffset, want)
			}
		}
	}
}

// Errors about the whole archive name the place and the fault.
func TestDirectoryErrors(t *testing.T) {
	data, start := small(t)
	end := len(data) - 22
	zip64 := func(disk, disks uint32, size, offset uint64) []byte {
		b := append([]byte("PK\x06\x06"), make([]byte, 36)...)
		b = binary.LittleEndian.AppendUint64(b, size)
		b = binary.LittleEndian.AppendUint64(b, offset)
		b = append(b, "PK\x06\x07"...)
		b = binary.LittleEndian.AppendUint32(b, disk)
		b = binary.LittleEndian.AppendUint64(b, 0)
		b = binary.LittleEndian.AppendUint32(b, disks)
		return append(append(bytes.Clone(data[:end]), b...), data[end:]...)
	}
	changed := func(at int, b ...byte) []byte {
		c := bytes.Clone(data)
		copy(c[at:], b)
		return c
	}
	for _, c := range []struct {
		name, why string
		data      []byte
		offset    int
		want      string
		is        error
	}{
		{name: "nothing", why: "no end record", want: "cut short", is: zipfile.ErrArchive},
		{name: "no end", why: "cut within the directory", data: data[:start+10], want: "cut short", is: zipfile.ErrArchive},
		{name: "half an end", why: "cut within its record", data: data[:end+21], offset: end, want: "after 21 of 22", is: zipfile.ErrArchive},
		{name: "large directory", why: "its size is all of 4 GB", data: changed(end+12, 0xff, 0xff, 0xff, 0xff), offset: end, want: "larger than the"},
		{name: "cut at its start", why: "the directory is in front of its place", data: data[10:], offset: end - 10, want: "start of the file may be missing"},
		{name: "no entry", why: "wrong signature", data: changed(start, 'X'), offset: start, want: "entry 0", is: zipfile.ErrArchive},
		{name: "long name", why: "it ends behind the directory", data: changed(start+28, 0xff, 0xff), offset: start, want: "entry 0", is: zipfile.ErrArchive},
		{name: "odd directory", why: "its size is one too few", data: changed(end+12, data[end+12]-1), offset: start + 1, want: "entry 0", is: zipfile.ErrArchive},
		{name: "disks", why: "zipfile raises", data: zip64(0, 3, 1, 1), offset: end + 56, want: "spans 3 disks"},
		{name: "zip64 without bounds", why: "64 bits, unsigned", data: zip64(0, 1, math.MaxUint64, 0), offset: end, want: "larger than any file"},
		{name: "zip64 with a large directory", why: "of 1 TB", data: zip64(0, 1, 1<<40, 0), offset: end, want: "larger than the"},
	} {
		_, err := read(c.data)
		var e *zipfile.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || e.Member != "" || e.Offset != int64(c.offset) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s (%s): error is %v, want one at byte %d with %q", c.name, c.why, err, c.offset, c.want)
		}
	}
	_, err := zipfile.ReadDirectory(bytes.NewReader(data), int64(len(data)), zipfile.Limits{Members: 2, Ratio: 1})
	if !errors.Is(err, bounded.ErrLimit) {
		t.Errorf("3 members where 2 are allowed: %v", err)
	}
	if _, err := zipfile.ReadDirectory(bytes.NewReader(data), int64(len(data)+1), limits); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an archive that is shorter than its size: %v", err)
	}
}

// A small archive costs one read, a large directory one more.
func TestReads(t *testing.T) {
	data, _ := small(t)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range 3000 {
		w.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(i)})
	}
	w.Close()
	for _, c := range []struct {
		data []byte
		most int
	}{{data, 1}, {append(make([]byte, 1<<20), data...), 1}, {b.Bytes(), 2}} {
		r := &counter{r: bytes.NewReader(c.data)}
		if _, err := zipfile.ReadDirectory(r, int64(len(c.data)), limits); err != nil || r.reads > c.most {
			t.Errorf("%d reads for an archive of %d bytes, want at most %d; %v", r.reads, len(c.data), c.most, err)
		}
	}
}

type counter struct {
	r     io.ReaderAt
	reads int
}

func (c *counter) ReadAt(p []byte, offset int64) (int, error) {
	c.reads++
	return c.r.ReadAt(p, offset)
}

// Names without the UTF-8 flag decode as in Python.
func TestCodePage437(t *testing.T) {
	var want string
	if err := json.Unmarshal(oracle.Python(t, `import json; print(json.dumps(bytes(range(1, 256)).decode('cp437')))`, nil), &want); err != nil {
		t.Fatal(err)
	}
	name := make([]byte, 255)
	for i := range name {
		name[i] = byte(i + 1)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if _, err := w.CreateRaw(&zip.FileHeader{Name: string(name), NonUTF8: true}); err != nil {
		t.Fatal(err)
	}
	w.Close()
	d, err := read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Entries[0].Name; got != want {
		t.Errorf("the name is %q, in Python %q", got, want)
	}
}

// No input makes the parser panic, or use more memory than a multiple of the input. An entry without an error lies
// within the file.
func FuzzReadDirectory(f *testing.F) {
	data, _ := small(f)
	f.Add(data)
	f.Add(append([]byte("junk"), data...))
	paths, err := filepath.Glob("../../testdata/*/*.npz")
	if err != nil || len(paths) == 0 {
		f.Fatal("no archives found")
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := read(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of several lines: %q", err)
			}
			return
		}
		if len(d.Entries)*46 > len(data) {
			t.Errorf("%d entries in %d bytes", len(d.Entries), len(data))
		}
		for i := range d.Entries {
			e := &d.Entries[i]
			if e.Err() != nil {
				continue
			}
			if e.HeaderOffset < 0 || e.Size < 0 || e.HeaderOffset+int64(e.LocalSize())+e.CompressedSize > d.Offset {
				t.Fatalf("entry %d without an error is %+v", i, e)
			}
			if offset, err := e.DataOffset(data[e.HeaderOffset:]); err == nil && offset+e.CompressedSize > d.Offset {
				t.Fatalf("data of entry %d at %d leaves the file", i, offset)
			}
			if p, ok := e.Pieces(); ok && (p.Starts[len(p.Starts)-1] >= e.CompressedSize || int64(len(p.Starts)-1)*p.Size >= e.Size) {
				t.Fatalf("pieces of entry %d leave it: %+v", i, p)
			}
		}
	})
}
