//go:build unix

package parts_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/parts"
)

// ends fails if f does not end.
func ends(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatalf("%s does not end", what)
	}
}

// An unusual is a file that a folder of a stranger may have as a part.
type unusual struct {
	name string
	make func(t *testing.T, path, outside string) error // outside is an array in another folder
	want string                                         // of the error; "" for a part that is read
	link bool                                           // it is read if Folder.Links is set
}

var unusuals = []unusual{
	{"file", func(_ *testing.T, path, _ string) error { return npy.Save(path, []float64{7}) }, "", true},
	{"pipe", func(_ *testing.T, path, _ string) error { return syscall.Mkfifo(path, 0o666) }, "it is a pipe", false},
	{"socket", func(t *testing.T, path, _ string) error {
		t.Chdir(filepath.Dir(path)) // the names of sockets are short
		l, err := net.Listen("unix", filepath.Base(path))
		if err == nil {
			t.Cleanup(func() { l.Close() })
		}
		return err
	}, "it is a socket", false},
	{"folder", func(_ *testing.T, path, _ string) error { return os.Mkdir(path, 0o777) }, "it is a folder", false},
	{"link to a file", func(_ *testing.T, path, _ string) error {
		if err := npy.Save(filepath.Join(filepath.Dir(path), "beside.npy"), []float64{7}); err != nil {
			return err
		}
		return os.Symlink("beside.npy", path)
	}, "", true},
	{"hard link", func(_ *testing.T, path, outside string) error { return os.Link(outside, path) }, "", true},
	{"link to a pipe", func(_ *testing.T, path, _ string) error {
		if err := syscall.Mkfifo(filepath.Join(filepath.Dir(path), "pipe"), 0o666); err != nil {
			return err
		}
		return os.Symlink("pipe", path)
	}, "it is a pipe", false},
	{"link out", func(_ *testing.T, path, outside string) error {
		rel, err := filepath.Rel(filepath.Dir(path), outside)
		if err != nil {
			return err
		}
		return os.Symlink(rel, path)
	}, "a link leads out of the folder", true},
	{"absolute link", func(_ *testing.T, path, outside string) error { return os.Symlink(outside, path) }, "a link leads out of the folder", true},
	{"link out and in", func(_ *testing.T, path, _ string) error {
		if err := npy.Save(filepath.Join(filepath.Dir(path), "beside.npy"), []float64{7}); err != nil {
			return err
		}
		return os.Symlink(filepath.Join("..", filepath.Base(filepath.Dir(path)), "beside.npy"), path)
	}, "a link leads out of the folder", true},
	{"link to a link out", func(_ *testing.T, path, outside string) error {
		if err := os.Symlink(outside, path+".2"); err != nil {
			return err
		}
		return os.Symlink(filepath.Base(path)+".2", path)
	}, "a link leads out of the folder", true},
	{"device", func(_ *testing.T, path, _ string) error { return os.Symlink("/dev/zero", path) }, "", false},
	{"system", func(_ *testing.T, path, _ string) error { return os.Symlink("/dev/tty", path) }, "", false},
	{"loop", func(_ *testing.T, path, _ string) error { return os.Symlink(filepath.Base(path), path) }, "", false},
	{"nothing", func(_ *testing.T, path, _ string) error { return os.Symlink("none", path) }, "no such file", false},
}

// The files of parts are regular ones in their folder, however the folder is opened. Nothing else is opened, or waited for.
func TestUnusualParts(t *testing.T) {
	for _, u := range unusuals {
		t.Run(u.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "folder")
			outside := filepath.Join(t.TempDir(), "outside.npy")
			for _, err := range []error{os.MkdirAll(filepath.Join(dir, "sub"), 0o777), npy.Save(outside, []float64{7})} {
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, path := range []string{"0.npy", "sub/0.npy"} {
				if err := u.make(t, filepath.Join(dir, filepath.FromSlash(path)), outside); err != nil {
					t.Skipf("this system does not make one: %v", err)
				}
			}
			works := u.name == "file" || u.name == "hard link" || u.name == "link to a file"
			m := parts.Manifest{DType: dtype.Float64, Shape: []int{2}, Parts: []parts.Part{{Path: "0.npy", Rows: 1}, {Path: "sub/0.npy", Rows: 1}}}
			manifest := filepath.Join(dir, "m.npy.json")
			if err := m.WriteFile(manifest); err != nil {
				t.Fatal(err)
			}
			m.Shape, m.Parts = []int{1}, m.Parts[:1]
			if err := m.WriteStackInfo(dir); err != nil {
				t.Fatal(err)
			}
			m.Shape, m.Parts = []int{2}, m.Parts[:2]
			for name, open := range map[string]func() (*parts.Array, error){
				"OpenFile":  func() (*parts.Array, error) { return parts.OpenFile(manifest) },
				"OpenStack": func() (*parts.Array, error) { return parts.OpenStack(dir) },
				"Dir":       func() (*parts.Array, error) { return m.Open(parts.Dir(dir, npy.Decoder{})) },
				"Links": func() (*parts.Array, error) {
					return m.Open(parts.Folder{Path: dir, Links: true}.Opener(npy.Decoder{}))
				},
			} {
				ends(t, name, func() {
					a, err := open()
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
					defer a.Close()
					values, err := a.ReadAll(t.Context())
					if works || name == "Links" && u.link {
						if err != nil || values.Size() == 0 {
							t.Errorf("%s: error %v", name, err)
						}
					} else if err == nil || name != "Links" && !strings.Contains(err.Error(), u.want) {
						t.Errorf("%s: error %v, want %s", name, err, u.want)
					}
				})
			}
		})
	}
}

// A folder that is a link out of its folder hides no parts, and the file info of a stack is as guarded as its parts are.
func TestUnusualFolders(t *testing.T) {
	outside := t.TempDir()
	if err := npy.Save(filepath.Join(outside, "0.npy"), []float64{7}); err != nil {
		t.Fatal(err)
	}
	m := parts.Manifest{DType: dtype.Float64, Shape: []int{1}, Parts: []parts.Part{{Path: "sub/0.npy", Rows: 1}}}
	dir := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	for _, links := range []bool{false, true} {
		a := must(m.Open(parts.Folder{Path: dir, Links: links}.Opener(npy.Decoder{})))
		if _, err := a.ReadAll(t.Context()); (err == nil) != links {
			t.Errorf("Links %v: error %v", links, err)
		}
		a.Close()
	}
	for _, u := range unusuals {
		if u.name == "file" || u.name == "hard link" || u.name == "link to a file" || u.name == "socket" {
			continue
		}
		dir := filepath.Join(t.TempDir(), "stack")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := u.make(t, filepath.Join(dir, parts.StackInfo), filepath.Join(outside, "0.npy")); err != nil {
			continue
		}
		ends(t, "ReadStack", func() {
			if _, err := parts.ReadStack(dir); err == nil || !strings.Contains(err.Error(), u.want) || !strings.Contains(err.Error(), filepath.Join(dir, parts.StackInfo)) {
				t.Errorf("info is a %s: error %v", u.name, err)
			}
		})
	}
}

// Whatever becomes of a name while it is opened, opening it ends, and brings an array of the folder or an error.
func TestPartsThatChange(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "folder")
	outside := filepath.Join(t.TempDir(), "outside.npy")
	for _, err := range []error{os.Mkdir(dir, 0o777), npy.Save(outside, []float64{666}), npy.Save(filepath.Join(dir, "real.npy"), []float64{7}), syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	stop := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			next := filepath.Join(dir, fmt.Sprint("next", i%3))
			to := []string{"real.npy", "pipe", outside}[i%3]
			if i%6 < 2 { // by themselves, not by links
				_ = os.Link(filepath.Join(dir, to), next)
			} else {
				_ = os.Symlink(to, next)
			}
			_ = os.Rename(next, filepath.Join(dir, "0.npy"))
		}
	}()
	open := parts.Dir(dir, npy.Decoder{})
	read := 0
	for range 2000 {
		ends(t, "opening", func() {
			src, closer, err := open(t.Context(), parts.Part{Path: "0.npy"})
			if err != nil {
				return
			}
			defer closer.Close()
			a, err := src.ReadAll(t.Context())
			if err == nil && a.String() != "[7.]" {
				t.Errorf("read %s", a)
			}
			read++
		})
		runtime.Gosched()
	}
	close(stop)
	<-stopped
	t.Logf("%d of 2000 were read", read)
}
