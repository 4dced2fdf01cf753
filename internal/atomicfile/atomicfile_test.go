package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// write writes text to path through Create and Commit.
func write(t *testing.T, path, text string, sync bool) {
	t.Helper()
	f, err := Create(path)
	if err != nil {
		t.Fatalf("Create: %v", err)
	}
	defer f.Abort()
	if _, err := f.WriteString(text); err != nil {
		t.Fatalf("write: %v", err)
	}
	if err := f.Commit(sync); err != nil {
		t.Fatalf("Commit: %v", err)
	}
}

func plain(t *testing.T, path, text string, perm fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, perm); err != nil {
		t.Fatal(err)
	}
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, error %v, want %q", filepath.Base(path), got, err, want)
	}
}

// wantNames checks that a folder holds exactly these files, and no temporary file.
func wantNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

// wantPath checks that err names the path that the caller asked for.
func wantPath(t *testing.T, err error, path string, is error) {
	t.Helper()
	var pe *fs.PathError
	if !errors.As(err, &pe) || pe.Path != path || is != nil && !errors.Is(err, is) {
		t.Errorf("error %v (%T), want %v for path %s", err, err, is, path)
	}
}

func TestCommit(t *testing.T) {
	for _, sync := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.npy")
		write(t, path, "one", sync)
		wantText(t, path, "one")
		write(t, path, "two", sync)
		wantText(t, path, "two")
		wantNames(t, dir, "a.npy")
	}
}

func TestOldFileStaysUntilCommit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	plain(t, path, "old", 0o644)
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	wantText(t, path, "old")
	f.Abort()
	wantText(t, path, "old")
	wantNames(t, dir, "a.npy")
	f.Abort() // twice is harmless
	if err := f.Commit(false); err == nil {
		t.Error("Commit after Abort succeeded")
	}
	wantText(t, path, "old")
}

func TestAbortAfterCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(false); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	wantText(t, path, "")
}

func TestRelativePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "a.npy", "one", true)
	wantNames(t, dir, "a.npy")
}

func TestLongName(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("n", 255)
	write(t, filepath.Join(dir, name), "one", false)
	wantNames(t, dir, name)
}

func TestNewFileObeysUmask(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits on Windows")
	}
	dir := t.TempDir()
	ref, err := os.Create(filepath.Join(dir, "b"))
	if err != nil {
		t.Fatal(err)
	}
	ref.Close()
	write(t, filepath.Join(dir, "a"), "x", false)
	a, _ := os.Stat(filepath.Join(dir, "a"))
	b, _ := os.Stat(filepath.Join(dir, "b"))
	if a.Mode() != b.Mode() {
		t.Errorf("a new file has mode %v, os.Create gives %v", a.Mode(), b.Mode())
	}
}

func TestPermissionsStay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits on Windows")
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	for _, perm := range []fs.FileMode{0o600, 0o640, 0o666, 0o755} {
		plain(t, path, "old", perm)
		write(t, path, "new", false)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != perm {
			t.Errorf("a file of mode %v has %v once replaced, error %v", perm, info.Mode(), err)
		}
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 { // Wine 8 does not keep the link
		t.Skipf("os.Symlink makes no link, and no error: %v", err)
	}
}

func TestLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	if err := os.MkdirAll(filepath.Join(real, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(real, "a.npy")
	plain(t, target, "old", 0o644)
	link(t, "real/a.npy", filepath.Join(dir, "direct"))
	link(t, "direct", filepath.Join(dir, "chain"))
	link(t, target, filepath.Join(dir, "absolute"))
	link(t, filepath.Join("real", "sub"), filepath.Join(dir, "sub"))
	link(t, "../a.npy", filepath.Join(real, "sub", "up"))
	for _, path := range []string{"direct", "chain", "absolute", "sub/up"} {
		write(t, filepath.Join(dir, path), path, false)
		wantText(t, target, path)
		if info, err := os.Lstat(filepath.Join(dir, path)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("link %s is no link any more: %v, error %v", path, info.Mode(), err)
		}
	}
	wantNames(t, real, "a.npy", "sub")
}

func TestLinkToNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "link")
	link(t, "new.npy", path)
	write(t, path, "one", false)
	wantText(t, filepath.Join(dir, "new.npy"), "one")
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is no link any more: %v, error %v", info.Mode(), err)
	}
	wantNames(t, dir, "link", "new.npy")
}

func TestLinkToItself(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "loop")
	link(t, "loop", path)
	_, err := Create(path)
	wantPath(t, err, path, nil)
	wantNames(t, dir, "loop")
}

func TestDirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Create(sub)
	wantPath(t, err, sub, nil)
	if err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("Create of a directory: error %v", err)
	}
	_, err = Create(sub + "/")
	wantPath(t, err, sub+"/", nil)
	wantNames(t, sub)
	link(t, "sub", filepath.Join(dir, "link"))
	_, err = Create(filepath.Join(dir, "link"))
	wantPath(t, err, filepath.Join(dir, "link"), nil)
	wantNames(t, sub)
}

func TestMissingDirectory(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "missing", "a.npy")
	_, err := Create(path)
	wantPath(t, err, path, fs.ErrNotExist)
	if strings.Contains(err.Error(), ".tmp") {
		t.Errorf("error %q names the temporary file", err)
	}
	plain(t, filepath.Join(dir, "file"), "", 0o644)
	path = filepath.Join(dir, "file", "a.npy")
	_, err = Create(path)
	wantPath(t, err, path, nil)
	wantNames(t, dir, "file")
}

func TestReadOnlyDirectory(t *testing.T) {
	if os.Getuid() <= 0 {
		t.Skip("needs a user whom permissions bind: not root, not Windows")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	path := filepath.Join(dir, "a.npy")
	_, err := Create(path)
	wantPath(t, err, path, fs.ErrPermission)
}

// TestCommitFails creates a directory at the path after Create.
func TestCommitFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	plain(t, filepath.Join(path, "x"), "", 0o644)
	if err := f.Commit(false); err == nil {
		t.Error("Commit over a directory succeeded")
	}
	wantNames(t, dir, "a.npy")
	f.Abort()
	wantNames(t, dir, "a.npy")
}

func TestCommitOfClosedFile(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "a.npy"))
	if err != nil {
		t.Fatal(err)
	}
	f.File.Close()
	if err := f.Commit(true); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Commit of a closed file: error %v, want %v", err, fs.ErrClosed)
	}
	wantNames(t, dir)
}

func TestReserve(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	for _, n := range []int64{0, 1, 3 << 20} {
		if err := f.Reserve(n); err != nil {
			t.Errorf("Reserve(%d): %v", n, err)
		}
	}
	if _, err := f.WriteString("short"); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(false); err != nil {
		t.Fatal(err)
	}
	wantText(t, path, "short") // reserving does not change the size
}

func TestDevNull(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Skipf("no %s here: %v", os.DevNull, err)
	}
	before, err := os.Stat(os.DevNull)
	if err != nil || before.Mode().IsRegular() {
		t.Skip("the null device is no device")
	}
	write(t, os.DevNull, "gone", true)
	f, err := Create(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Reserve(1 << 30); err != nil {
		t.Errorf("Reserve: %v", err)
	}
	f.Abort()
	after, err := os.Stat(os.DevNull)
	if err != nil || after.Mode() != before.Mode() {
		t.Errorf("the null device was %v and is %v, error %v", before.Mode(), after.Mode(), err)
	}
}
