package npz

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// portable returns the paths for members with these names.
func portable(t testing.TB, names ...string) []string {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := w.AddBytes(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	z, err := NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return z.PortableNames()
}

func TestPortableNames(t *testing.T) {
	for _, tt := range []struct{ name, want, problem string }{
		{"a.npy", "a.npy", ""},
		{"layer1/w.npy", "layer1/w.npy", ""},
		{"ünïcode 100%.npy", "ünïcode 100%.npy", ""},
		{"folder/", "folder/", ""},
		{".hidden", ".hidden", ""},
		{"../up", "../up", ""},
		{"a:b.npy", "a%3Ab.npy", "it has the character ':'"},
		{`<>"|?*\`, "%3C%3E%22%7C%3F%2A%5C", "it has the character '<'"},
		{"tab\there", "tab%09here", `it has the character '\t'`},
		{"end.", "end%2E", `it ends with "."`},
		{"end ./x", "end %2E/x", `it ends with "."`},
		{"end /x", "end%20/x", `it ends with " "`},
		{"CON", "%43ON", "CON is a device"},
		{"nul.npy", "%6Eul.npy", "nul is a device"},
		{"com1.x.npy", "%63om1.x.npy", "com1 is a device"},
		{"lpt²", "%6Cpt²", "lpt² is a device"},
		{"aux .npy", "%61ux .npy", "aux  is a device"},
		{"com10.npy", "com10.npy", ""},
		{"console.npy", "console.npy", ""},
		{strings.Repeat("ä", 150) + ".npy", strings.Repeat("ä", 100) + "~b3611b5e.npy", "a part of it has 304 bytes, the most are 255"},
	} {
		got := portable(t, tt.name)[0]
		if got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.name, got, tt.want)
		}
		err := Entry{Name: tt.name, HeaderOffset: 12}.CheckPortable()
		var e *Error
		if tt.problem == "" && err != nil || tt.problem != "" && (!errors.As(err, &e) || e.Offset != 12 || e.Err.Error() != "Windows does not allow this file name: "+tt.problem) {
			t.Errorf("%q: error %v, want %q", tt.name, err, tt.problem)
		}
	}
	deep := strings.Repeat("d/", 255) + "x.npy"
	if got := portable(t, deep)[0]; got != deep || (Entry{Name: deep}).CheckPortable() != nil {
		t.Errorf("a name in 255 folders becomes %q", got)
	}
	if got := portable(t, "d/"+deep)[0]; strings.Contains(got, "/") || !strings.HasSuffix(got, ".npy") || (Entry{Name: "d/" + deep}).CheckPortable() == nil {
		t.Errorf("a name in 256 folders becomes %q", got)
	}
	got := fmt.Sprint(portable(t, "a/x", "A/x", "a/X", "A/X", "B.npy", "b.npy", "b~2.npy", "a:", "A:", "ſ", "S"))
	if want := "[a/x A~2/x a/X~2 A~2/X~2 B.npy b~2.npy b~2~2.npy a%3A A%3A~2 ſ S~2]"; got != want {
		t.Errorf("names that differ in case become %s, want %s", got, want)
	}
}

// Names take memory in proportion to their length, whatever the number of their parts and of names.
func TestPortableNamesMemory(t *testing.T) {
	for _, part := range []string{"a/", "aA:/", strings.Repeat("b", 100) + "/", strings.Repeat("c", 255) + "/", "d.//"} {
		for _, length := range []int{500, 60_000} {
			var names []string
			total := 0
			for i := range 1 << 18 / length {
				name := fmt.Sprint(i, "/", strings.Repeat(part, length/len(part)), "x")
				names = append(names, name)
				total += len(name)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			tree := newPortableTree()
			for _, name := range names {
				tree.path(name)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if n := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / int64(total); n > 100 {
				t.Errorf("%d names of %d times %.10q take %d bytes for each of their own", len(names), length/len(part), part, n)
			}
			runtime.KeepAlive(tree)
		}
	}
}

// For any names, the paths are portable, differ in more than case, and do not change when made portable again.
func FuzzPortableNames(f *testing.F) {
	for _, seed := range []string{"a\nb", "a:b\na%3Ab", "A/x\na/x", "CON\ncon\n%43ON", "x.\nx%2E", "ſ\ns\nS", "a\n../b\n/c", strings.Repeat("é", 200)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree := newPortableTree()
		seen := map[string]string{}
		for name := range strings.SplitSeq(text, "\n") {
			got := tree.path(name)
			if err := (Entry{Name: got}).CheckPortable(); err != nil {
				t.Errorf("%q becomes %q: %v", name, got, err)
			}
			if other, ok := seen[foldCase(got)]; ok && other != name {
				t.Errorf("%q and %q become %q", other, name, got)
			}
			seen[foldCase(got)] = name
			if twice := newPortableTree().path(got); twice != got {
				t.Errorf("%q becomes %q, and that %q", name, got, twice)
			}
			if (Entry{Name: name}).CheckName() == nil && (Entry{Name: got}).CheckName() != nil {
				t.Errorf("%q becomes %q, which leads elsewhere", name, got)
			}
		}
	})
}

func TestUnpackFile(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	text := func(s string) *strings.Reader { return strings.NewReader(s) }
	if err := UnpackFile(root, "a", text("one"), false); err != nil {
		t.Error(err)
	}
	if err := UnpackFile(root, "a", text("two"), false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: error %v, want %v", err, fs.ErrExist)
	}
	if err := UnpackFile(root, "a", iotest.ErrReader(errors.ErrUnsupported), true); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v, want that of the reader", err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a")); string(got) != "one" {
		t.Errorf("the file holds %q, error %v", got, err)
	}
	if err := UnpackFile(root, "a", text("three"), true); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a")); string(got) != "three" {
		t.Errorf("the file holds %q, error %v", got, err)
	}
	for _, name := range []string{"../b", "no/folder"} {
		if err := UnpackFile(root, name, text(""), true); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 && runtime.GOOS != "windows" {
		t.Errorf("the folder has %v, error %v", entries, err)
	}
}
