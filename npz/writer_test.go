package npz_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// array returns an array of a dtype that is the same on every machine.
func array[T npy.Element](descr string, data []T, shape ...int) *npy.Array {
	return must(npy.FromSliceAs(must(dtype.Parse(descr)), data, shape...))
}

// savezMembers are the members of stored.npz in testdata, with the first one moved to the end: NumPy puts arrays
// without a name last.
func savezMembers(t *testing.T) (members []npz.Member, raw map[string][]byte) {
	t.Helper()
	r := must(zip.OpenReader("../testdata/numpy-2.3.5/stored.npz"))
	defer r.Close()
	raw = map[string][]byte{}
	for _, f := range r.File {
		data := must(io.ReadAll(must(f.Open())))
		name := strings.TrimSuffix(f.Name, ".npy")
		a, err := npy.Read(bytes.NewReader(data))
		if err != nil { // Python objects
			raw[name] = data
		}
		members = append(members, npz.Member{Name: name, Array: a})
	}
	return members, raw
}

// Members that NumPy stored, stored again, are the same file.
func TestSameBytesAsSavez(t *testing.T) {
	members, raw := savezMembers(t)
	var buf bytes.Buffer
	w := must(npz.Encoder{Store: true, Align: -1}.NewWriter(&buf))
	for _, m := range members {
		var err error
		if data := raw[m.Name]; data != nil {
			err = w.AddBytes(m.Name+".npy", data)
		} else {
			err = w.Add(m.Name, m.Array)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := must(os.ReadFile("../testdata/numpy-2.3.5/stored.npz")); !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("%d bytes, NumPy has %d:\n%q\n%q", buf.Len(), len(want), buf.Bytes(), want)
	}
	buf.Reset()
	if err := must(npz.NewWriter(&buf)).Close(); err != nil {
		t.Fatal(err)
	}
	if want := must(os.ReadFile("../testdata/numpy-2.3.5/empty.npz")); !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("no members: %q, NumPy has %q", buf.Bytes(), want)
	}
}

// savez writes archives with the zip64 layout of CPython 3.12, which older versions lack: their version bytes are 20,
// and their local headers have the sizes twice.
const savez = `
import io, struct, zipfile
members = {'b': np.arange(6.0).reshape(2,3), 'é': np.asfortranarray(np.ones((3,2),'>i2')), '/a b': np.array(5), '': np.array(['x']), 'big': np.arange(300000.)}
out = io.BytesIO()
np.savez(out, **members)
d = bytearray(out.getvalue())
for i in zipfile.ZipFile(io.BytesIO(d)).infolist():
    d[i.header_offset+4] = 45
    d[i.header_offset+18:i.header_offset+26] = b'\xff' * 8
at = struct.unpack('<I', d[-6:-2])[0]
while d[at:at+4] == b'PK\1\2':
    d[at+4] = d[at+6] = 45
    at += 46 + sum(struct.unpack('<HHH', d[at+28:at+34]))
sys.stdout.buffer.write(d)
`

func TestSameBytesAsLiveSavez(t *testing.T) {
	want := oracle.NumPy(t, savez, nil)
	big := make([]float64, 300_000)
	for i := range big {
		big[i] = float64(i)
	}
	members := []npz.Member{
		{Name: "b", Array: array("<f8", []float64{0, 1, 2, 3, 4, 5}, 2, 3)},
		{Name: "é", Array: array(">i2", []int16{1, 1, 1, 1, 1, 1}, 3, 2).Fortran()},
		{Name: "/a b", Array: must(array("<i8", []int64{5}).Reshape())},
		{Name: "", Array: array("<U1", []string{"x"})},
		{Name: "big", Array: array("<f8", big)},
	}
	path := filepath.Join(t.TempDir(), "a.npz")
	e := npz.Encoder{Store: true, Align: -1}
	if err := e.Save(path, members...); err != nil {
		t.Fatal(err)
	}
	if got := must(os.ReadFile(path)); !bytes.Equal(got, want) {
		t.Errorf("a file: %d bytes, NumPy has %d", len(got), len(want))
	}
	var buf bytes.Buffer
	w := must(e.NewWriter(&buf))
	for _, m := range members {
		if err := w.Add(m.Name, m.Array); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("a stream: %d bytes, NumPy has %d, error %v", buf.Len(), len(want), err)
	}
}

// variety returns the arrays of every vector without objects, and large arrays in several memory layouts.
func variety(t testing.TB) []npz.Member {
	t.Helper()
	var members []npz.Member
	for _, path := range must(filepath.Glob("../testdata/numpy-2.3.5/*.npy")) {
		if a, err := npy.ReadFile(path); err == nil {
			members = append(members, npz.Member{Name: strings.TrimSuffix(filepath.Base(path), ".npy"), Array: a})
		} else if !errors.Is(err, npy.ErrObjects) {
			t.Fatal(err)
		}
	}
	small := make([]int32, 600<<10)
	for i := range small {
		small[i] = int32(i*i) >> 12
	}
	large := array("<i4", small, 600, 1024)
	return append(members,
		npz.Member{Name: "large", Array: large},
		npz.Member{Name: "large Fortran", Array: large.Fortran()},
		npz.Member{Name: "large strided", Array: must(large.Slice(npy.All(), npy.All().By(-2)))},
		npz.Member{Name: "one piece", Array: must(must(large.Reshape(-1)).Slice(npy.SpanTo(1<<18 - 32)))},
		npz.Member{Name: "a byte more", Array: array("|i1", make([]int8, 1<<20-127))})
}

// settings returns the encoders to test, of which short mode has one of each method.
func settings() map[string]npz.Encoder {
	all := map[string]npz.Encoder{
		"default": {}, "stored": {Store: true}, "not aligned": {Store: true, Align: -1}, "page": {Store: true, Align: 4096},
		"level 1": {Level: 1}, "level 9": {Level: 9}, "zstd": {Zstd: true}, "zstd 9": {Zstd: true, Level: 9},
	}
	if testing.Short() {
		for _, name := range []string{"stored", "not aligned", "level 1", "level 9", "zstd 9"} {
			delete(all, name)
		}
	}
	return all
}

// writeStream writes members to a stream.
func writeStream(t testing.TB, e npz.Encoder, members []npz.Member) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := must(e.NewWriter(&buf))
	for _, m := range members {
		if err := w.Add(m.Name, m.Array); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// The bytes do not depend on the number of goroutines, nor on what was written before.
func TestWorkersDoNotMatter(t *testing.T) {
	members := variety(t)
	for name, e := range settings() {
		var first []byte
		for _, e.Workers = range []int{1, 3} {
			got := writeStream(t, e, members)
			if first == nil {
				first = got
			}
			if !bytes.Equal(got, first) {
				t.Errorf("%s: %d workers: other bytes than one", name, e.Workers)
			}
		}
	}
}

// digest computes a digest of an array, without the padding of records.
const digest = `
import hashlib, zipfile
def digest(a): return hashlib.sha256(repr(a.tolist()).encode() if a.dtype.names else a.tobytes()).hexdigest()
`

// dump prints the arrays that NumPy finds in archives: dtype, shape, order and bytes.
const dump = digest + `
for path in sys.argv[1:]:
    assert zipfile.ZipFile(path).testzip() is None, path
    with np.load(path) as z:
        for k in z.files:
            a = z[k]
            print(json.dumps([k, np.lib.format.dtype_to_descr(a.dtype), list(a.shape), bool(a.flags.f_contiguous and not a.flags.c_contiguous), digest(a)]))
`

func TestNumPyReadsAll(t *testing.T) {
	members := variety(t)
	dir := t.TempDir()
	var paths []string
	for name, e := range settings() {
		if e.Zstd {
			continue // before Python 3.14
		}
		file, stream := filepath.Join(dir, name+".npz"), filepath.Join(dir, name+" stream.npz")
		if err := e.Save(file, members...); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(stream, writeStream(t, e, members), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, file, stream)
	}
	for _, m := range members {
		if err := npy.WriteFile(filepath.Join(dir, m.Name+".npy"), m.Array); err != nil {
			t.Fatal(err)
		}
	}
	got := oracle.NumPy(t, dump, nil, paths...)
	want := oracle.NumPy(t, dumpFiles, must(json.Marshal(memberNames(members))), dir)
	wantLines := slices.Collect(bytes.Lines(bytes.Repeat(want, len(paths))))
	i := 0
	for line := range bytes.Lines(got) {
		if !bytes.Equal(line, wantLines[i]) {
			t.Fatalf("in %s NumPy finds\n%s and in a file\n%s", paths[i/len(members)], line, wantLines[i])
		}
		i++
	}
	if i != len(wantLines) {
		t.Errorf("NumPy finds %d arrays, not %d", i, len(wantLines))
	}
	if _, err := exec.LookPath("unzip"); err != nil && os.Getenv("CI") == "" {
		t.Skip("no unzip here to check archives")
	}
	for _, path := range paths {
		if out, err := exec.Command("unzip", "-tqq", path).CombinedOutput(); err != nil {
			t.Errorf("unzip -t %s: %v\n%s", path, err, out)
		}
	}
}

const dumpFiles = digest + `
for k in json.load(sys.stdin):
    a = np.load(sys.argv[1] + '/' + k + '.npy')
    print(json.dumps([k, np.lib.format.dtype_to_descr(a.dtype), list(a.shape), bool(a.flags.f_contiguous and not a.flags.c_contiguous), digest(a)]))
`

func memberNames(members []npz.Member) (names []string) {
	for _, m := range members {
		names = append(names, m.Name)
	}
	return names
}

func TestNames(t *testing.T) {
	var buf bytes.Buffer
	w, err := npz.NewWriter(&buf)
	if err != nil {
		t.Fatal(err)
	}
	a := array("<i4", []int32{1})
	for _, name := range []string{"a", "", "a.npy", "../x", "/abs", "new\nline", "整", strings.Repeat("n", 65_531)} {
		if err := w.Add(name, a); err != nil {
			t.Errorf("%.20q: %v", name, err)
		}
	}
	for _, c := range []struct{ name, want string }{
		{"a", `npz: the archive already has a member "a.npy"`},
		{"a\x00b", `npz: member "a\x00b.npy": a name in ZIP cannot contain NUL characters`},
		{"\xff", `npz: member "\xff.npy": names must be UTF-8`},
		{strings.Repeat("n", 65_532), `npz: the name "nnnnnnnnnnnnnnnnnnnn"… has 65536 bytes, the limit of ZIP is 65535`},
	} {
		if err := w.Add(c.name, a); err == nil || err.Error() != c.want {
			t.Errorf("%.20q: error %v, want %s", c.name, err, c.want)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := must(zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len())))
	if len(r.File) != 8 || r.File[1].Name != ".npy" || r.File[6].Flags != 0x800 || r.File[5].Flags != 0 {
		t.Errorf("members are %v", r.File)
	}
	for _, err := range []error{w.Add("late", a), w.Close()} {
		if err == nil || err.Error() != "npz: archive used after Close: file already closed" {
			t.Errorf("after Close: error %v", err)
		}
	}
}

func TestSettings(t *testing.T) {
	for want, e := range map[string]npz.Encoder{
		"npz: Store and Zstd exclude each other":               {Store: true, Zstd: true},
		"npz: Level is 10, want 1 to 9, or 0 for the default":  {Level: 10},
		"npz: Level is -1, want 1 to 22, or 0 for the default": {Zstd: true, Level: -1},
		"npz: Align is 48, want a power of two up to 32768":    {Align: 48},
		"npz: Align is 65536, want a power of two up to 32768": {Align: 65536},
	} {
		if _, err := e.NewWriter(io.Discard); err == nil || err.Error() != want {
			t.Errorf("%+v: error %v, want %s", e, err, want)
		}
		path := filepath.Join(t.TempDir(), "a.npz")
		if err := e.Save(path); err == nil || err.Error() != want {
			t.Errorf("%+v: error %v, want %s", e, err, want)
		}
	}
}

// The elements of stored arrays are aligned as requested.
func TestAlign(t *testing.T) {
	members := variety(t)
	for _, align := range []int{0, 1, 8, 64, 4096, 32768} {
		data := writeStream(t, npz.Encoder{Store: true, Align: align}, members)
		r := must(zip.NewReader(bytes.NewReader(data), int64(len(data))))
		at := int64(align)
		if align == 0 {
			at = 64
		}
		for _, f := range r.File {
			if offset := must(f.DataOffset()); offset%at != 0 || data[offset] != 0x93 {
				t.Errorf("align %d: %s begins at %d", align, f.Name, offset)
			}
			if len(f.Extra) != 0 {
				t.Errorf("align %d: %s has %d bytes of padding in the directory", align, f.Name, len(f.Extra))
			}
		}
	}
}

// AddFrom writes the same bytes as Add.
func TestAddFrom(t *testing.T) {
	members := variety(t)
	dir := t.TempDir()
	for name, e := range settings() {
		want, got := filepath.Join(dir, "want"), filepath.Join(dir, "got")
		if err := e.Save(want, members...); err != nil {
			t.Fatal(err)
		}
		w := must(e.Create(got))
		for _, m := range members {
			var raw bytes.Buffer
			if err := npy.Write(&raw, m.Array); err != nil {
				t.Fatal(err)
			}
			if err := w.AddFrom(m.Name+".npy", &raw); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(must(os.ReadFile(got)), must(os.ReadFile(want))) {
			t.Errorf("%s: other bytes", name)
		}
	}
}

// failing is a writer or reader that fails after some bytes.
type failing struct{ left int }

var errFull = errors.New("no space left on device")

func (f *failing) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func (f *failing) Read(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if n == 0 {
		return 0, errFull
	}
	return n, nil
}

// Wherever a writer fails, some call returns the error, and Close always does.
func TestWriterFails(t *testing.T) {
	members := variety(t)
	members = members[len(members)-5:] // the large ones
	for name, e := range settings() {
		size := len(writeStream(t, e, members))
		for _, left := range []int{0, 1000, 70_000, size / 2, size - 1} {
			w := must(e.NewWriter(&failing{left}))
			for _, m := range members {
				if err := w.Add(m.Name, m.Array); err != nil && !errors.Is(err, errFull) {
					t.Errorf("%s, %d bytes: Add: %v", name, left, err)
				}
			}
			if err := w.Close(); !errors.Is(err, errFull) {
				t.Errorf("%s, %d of %d bytes: Close: %v", name, left, size, err)
			}
		}
	}
}

func TestReaderFails(t *testing.T) {
	for _, n := range []int{0, 1000, 3 << 20} {
		path := filepath.Join(t.TempDir(), "a.npz")
		w := must(npz.Create(path))
		err := w.AddFrom("x", &failing{n})
		if want := `npz: member "x": no space left on device`; !errors.Is(err, errFull) || err.Error() != want {
			t.Errorf("%d bytes: error %v, want %s", n, err, want)
		}
		w.Abort()
		if left := must(os.ReadDir(filepath.Dir(path))); len(left) != 0 {
			t.Errorf("%d bytes: %v was left behind", n, left)
		}
	}
}

func TestSaveMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	a := array("<i4", []int32{1})
	if err := npz.SaveMap(path, map[string]*npy.Array{"b": a, "a": a, "c": a}); err != nil {
		t.Fatal(err)
	}
	r := must(zip.OpenReader(path))
	defer r.Close()
	var got []string
	for _, f := range r.File {
		got = append(got, f.Name)
	}
	if !slices.Equal(got, []string{"a.npy", "b.npy", "c.npy"}) {
		t.Errorf("members are %v", got)
	}
}

// An archive that cannot be written leaves the old one unchanged.
func TestSaveLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	a := array("<i4", []int32{1})
	if err := npz.Save(path, npz.Member{Name: "a", Array: a}); err != nil {
		t.Fatal(err)
	}
	old := must(os.ReadFile(path))
	if err := npz.Save(path, npz.Member{Name: "b", Array: a}, npz.Member{Name: "b", Array: a}); err == nil {
		t.Error("two members of one name were written")
	}
	if !bytes.Equal(must(os.ReadFile(path)), old) {
		t.Error("the old file has changed")
	}
	if left := must(os.ReadDir(filepath.Dir(path))); len(left) != 1 {
		t.Errorf("%v was left behind", left)
	}
}

func ExampleSave() {
	dir := must(os.MkdirTemp("", ""))
	defer os.RemoveAll(dir)
	weights := must(npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3))
	bias := must(npy.FromSlice([]float32{0.5, -0.5}))
	err := npz.Save(filepath.Join(dir, "model.npz"), npz.Member{Name: "w", Array: weights}, npz.Member{Name: "b", Array: bias})
	fmt.Println(err)
	// Output: <nil>
}

func ExampleCreate() {
	dir := must(os.MkdirTemp("", ""))
	defer os.RemoveAll(dir)
	w, err := npz.Create(filepath.Join(dir, "run.npz"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Abort() // does nothing once Close has returned
	for step := range 3 {
		if err := npz.Add(w, fmt.Sprintf("step%d", step), []float64{1, 2, 3, 4}, 2, 2); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(w.Close())
	// Output: <nil>
}
