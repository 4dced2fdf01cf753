package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/limits"
)

// bzip2Text is "a,b\n1,2\n", compressed by bzip2 1.0.8.
const bzip2Text = "BZh91AY&SY\xbf\x87@\x7f\x00\x00\x03Y\x00\x00\x10\x00\x040\x000\x00 \x000\xc0\x08i\xb2\x88#'\x8b\xb9\x22\x9c(H_\xc3\xa0?\x80"

func compressed(t testing.TB, ending, text string) string {
	t.Helper()
	c, _ := CompressionOf("x" + ending)
	var b bytes.Buffer
	w, err := c.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// readBoth returns the text of a file and of standard input.
func readBoth(t *testing.T, o Opener, data string) (text string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
	var texts [2]string
	var errs [2]error
	for i, name := range []string{path, "-"} {
		o.Stdin = &Stdin{Reader: strings.NewReader(data)}
		f, err := o.Bytes(t.Context(), Target{Path: name})
		if err != nil {
			errs[i] = err
			continue
		}
		b, err := io.ReadAll(f)
		texts[i], errs[i] = string(b), err
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if texts[0] != texts[1] || (errs[0] == nil) != (errs[1] == nil) || errs[0] != nil && errs[0].Error() != errs[1].Error() {
		t.Errorf("%.20q: the file is %.20q, %v, standard input %.20q, %v", data, texts[0], errs[0], texts[1], errs[1])
	}
	return texts[0], errs[0]
}

func TestCompressed(t *testing.T) {
	const text = "a,b\n1,2\n"
	gz, zst, xz := compressed(t, ".gz", text), compressed(t, ".zst", text), compressed(t, ".xz", text)
	for _, tt := range []struct{ name, data, want string }{
		{"gzip", gz, text},
		{"gzip twice", gz + gz, text + text},
		{"zstd", zst, text},
		{"zstd twice", zst + zst, text + text},
		{"a frame to skip", "\x50\x2a\x4d\x18\x04\x00\x00\x00skip" + zst, text},
		{"xz", xz, text},
		{"xz twice", xz + xz, text + text},
		{"bzip2", bzip2Text, text},
		{"bzip2 twice", bzip2Text + bzip2Text, text + text},
		{"text that begins like bzip2", "BZh9,x\n1,2\n", "BZh9,x\n1,2\n"},
		{"less than a magic number", "\x1f\x8b", "\x1f\x8b"},
		{"nothing", "", ""},
	} {
		if got, err := readBoth(t, Opener{}, tt.data); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
		if got, err := readBoth(t, Opener{Raw: true}, tt.data); err != nil || got != tt.data {
			t.Errorf("%s as raw bytes: %q, %v", tt.name, got, err)
		}
		for n := 12; n < len(tt.data) && tt.want == text && tt.name != "a frame to skip"; n++ {
			if got, err := readBoth(t, Opener{}, tt.data[:n]); err == nil {
				t.Errorf("%s, %d bytes of it: %q without an error", tt.name, n, got)
			}
		}
	}
}

// Files of the program xz with every checksum, in several blocks and streams, and with padding.
func TestXZ(t *testing.T) {
	var text strings.Builder
	for i := range 30000 {
		fmt.Fprintln(&text, i*i%1000)
	}
	for _, args := range []string{"--check=none", "--check=crc32", "--check=crc64", "--check=sha256 -0", "-9e", "--block-size=20000", "-T2 --block-size=30000"} {
		cmd := exec.Command("xz", append(strings.Fields(args), "-c")...)
		cmd.Stdin = strings.NewReader(text.String())
		data, err := cmd.Output()
		if err != nil {
			if os.Getenv("CI") == "" {
				t.Skip("no program xz here")
			}
			t.Fatal(err)
		}
		if got, err := readBoth(t, Opener{}, string(data)); err != nil || got != text.String() {
			t.Errorf("xz %s: %d bytes, error %v, want %d", args, len(got), err, text.Len())
		}
		padded := string(data) + strings.Repeat("\x00", 8)
		if got, err := readBoth(t, Opener{}, padded+padded); err != nil || got != text.String()+text.String() {
			t.Errorf("xz %s, twice, with padding: %d bytes, error %v", args, len(got), err)
		}
		if _, err := readBoth(t, Opener{}, string(data)+"\x00\x00"); err == nil {
			t.Errorf("xz %s: two bytes of padding are no error", args)
		}
	}
}

// Compressed data may not grow beyond all measure, and its dictionary is limited.
func TestCompressedBombs(t *testing.T) {
	const most = 1 << 20
	zeros := compressed(t, ".zst", strings.Repeat("\x00", 8*most))
	for _, tt := range []struct {
		ratio, free int64
		over        bool
	}{{100, most, true}, {-1, most, false}, {100, 8 * most, false}, {1 << 20, most, false}} {
		o := Opener{Limits: limits.Limits{"MaxRatio": tt.ratio}}
		r, err := o.decompress(strings.NewReader(zeros), []byte(zeros[:magicBytes]))
		if err != nil {
			t.Fatal(err)
		}
		r.free = tt.free
		n, err := io.Copy(io.Discard, r)
		r.r.Close()
		var over *npy.LimitError
		if is := errors.As(err, &over) && over.Name == "MaxRatio"; is != tt.over || err != nil && !is || is && n > 2*most {
			t.Errorf("ratio %d above %d bytes: %d bytes, error %v, want an error of MaxRatio: %v", tt.ratio, tt.free, n, err, tt.over)
		}
	}
	xz := []byte(compressed(t, ".xz", "x"))
	i := bytes.Index(xz[12:], []byte("\x21\x01"))
	xz[12+i+2] = 40 // 4 GiB
	head := xz[12 : 12+4*int(xz[12])]
	binary.LittleEndian.PutUint32(xz[12+len(head):], crc32.ChecksumIEEE(head))
	if _, err := readBoth(t, Opener{}, string(xz)); err == nil || !strings.Contains(err.Error(), "dictionary") {
		t.Errorf("an .xz file with a large dictionary: error %v", err)
	}
}

// No input panics.
func FuzzCompressed(f *testing.F) {
	for _, ending := range []string{".gz", ".zst", ".xz"} {
		f.Add([]byte(compressed(f, ending, "a,b\n1,2\n")))
	}
	f.Add([]byte(bzip2Text))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := Opener{Stdin: &Stdin{Reader: bytes.NewReader(data)}}
		r, err := o.Bytes(t.Context(), Target{Path: "-"})
		if err == nil {
			io.Copy(io.Discard, io.LimitReader(r, 1<<20))
			r.Close()
		}
	})
}
