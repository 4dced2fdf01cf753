package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
)

// Every subcommand that reads a member whole must verify its checksum and fail if it is wrong.
func TestChecksums(t *testing.T) {
	numbers := make([]int16, 50)
	for i := range numbers {
		numbers[i] = int16(i)
	}
	plain, err := npy.FromSlice(numbers)
	if err != nil {
		t.Fatal(err)
	}
	values, err := npy.FromObjects([]any{int64(1), "two", strings.Repeat("three", 50000)})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []npz.Encoder{{Store: true}, {}, {Zstd: true}} {
		e.Array.Objects = objects.Encoder{}
		for _, x := range []struct {
			array *npy.Array
			lines []string
		}{{plain, allTrials("checksums")}, {values, allTrials("checksums of objects")}} {
			for _, line := range x.lines {
				t.Run(fmt.Sprintf("%+v/%s/%s", e.Store, x.array.DType(), line), func(t *testing.T) { wantChecksum(t, e, x.array, line) })
			}
		}
	}
}

// The same for a file that is compressed as a whole, whose checksum comes after its last element.
func TestChecksumsOfCompressedFiles(t *testing.T) {
	numbers := make([]int16, 50)
	for i := range numbers {
		numbers[i] = int16(i)
	}
	a, err := npy.FromSlice(numbers)
	if err != nil {
		t.Fatal(err)
	}
	var plain, packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if err := errors.Join(npy.Write(&plain, a), npy.Write(z, a), z.Close()); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"M": "a.npy.gz", "B": "b.npy", "C": "c.npy"}
	for _, line := range allTrials("checksums") {
		if slices.Contains(strings.Fields(line), "A") {
			continue
		}
		for _, damaged := range []bool{true, false} {
			t.Chdir(t.TempDir())
			data := bytes.Clone(packed.Bytes())
			if damaged {
				data[len(data)-8] ^= 1 // of the CRC-32
			}
			if err := errors.Join(os.WriteFile("a.npy.gz", data, 0o666), os.WriteFile("b.npy", plain.Bytes(), 0o666), os.WriteFile("c.npy", plain.Bytes(), 0o666)); err != nil {
				t.Fatal(err)
			}
			var out, talk bytes.Buffer
			code := run(withFiles(line, files), nil, &out, &talk)
			if damaged && (code == exitDone || !strings.Contains(talk.String()+out.String(), "checksum")) || !damaged && code != exitDone {
				t.Errorf("npy %s, damaged %v: exit code %d, %s", line, damaged, code, talk.String())
			}
			if made, _ := filepath.Glob("o*"); damaged && len(made) > 0 {
				t.Errorf("npy %s: there is %q", line, made)
			}
		}
	}
}

// withFiles returns the arguments of a line in which letters stand for files.
func withFiles(line string, files map[string]string) []string {
	args := strings.Fields(line)
	for i, arg := range args[1:] {
		for from, to := range files {
			if name, _, _ := strings.Cut(arg, "["); name == from {
				args[i+1] = to + strings.TrimPrefix(arg, name)
			}
		}
	}
	return args
}

// wantChecksum runs a line on an archive with a wrong checksum, then on the same archive with the right one.
func wantChecksum(t *testing.T, e npz.Encoder, a *npy.Array, line string) {
	t.Helper()
	for _, damaged := range []bool{true, false} {
		t.Chdir(t.TempDir())
		var b bytes.Buffer
		w, err := e.NewWriter(&b)
		if err == nil {
			err = w.Add("m", a)
		}
		if err == nil {
			err = w.Close()
		}
		if err == nil {
			err = os.WriteFile("a.npz", withCRC(b.Bytes(), damaged), 0o666)
		}
		for _, name := range []string{"b.npy", "c.npy"} {
			if err == nil {
				err = e.Array.WriteFile(name, a)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		args := withFiles(line, map[string]string{"M": "a.npz:m", "A": "a.npz", "B": "b.npy", "C": "c.npy"})
		var out, talk bytes.Buffer
		code := run(args, nil, &out, &talk)
		said := strings.Contains(talk.String()+out.String(), "CRC-32")
		if damaged && (code == exitDone || !said) || !damaged && (code != exitDone || said) {
			t.Errorf("npy %s, damaged %v: exit code %d, %s", strings.Join(args, " "), damaged, code, talk.String())
		}
		if made, _ := filepath.Glob("o*"); damaged && len(made) > 0 {
			t.Errorf("npy %s: there is %q", strings.Join(args, " "), made)
		}
	}
}

// withCRC returns the bytes of an archive of one member. If wrong is set, its CRC-32 is wrong.
func withCRC(archive []byte, wrong bool) []byte {
	if wrong {
		for signature, at := range map[string]int{"PK\x03\x04": 14, "PK\x01\x02": 16} {
			archive[bytes.LastIndex(archive, []byte(signature))+at] ^= 1
		}
	}
	return archive
}
