package remote

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
)

// sameFile compares the file at a URL or a path.
func sameFile(t testing.TB, url string, o Options, want []byte) {
	t.Helper()
	var got []byte
	if IsURL(url) {
		f, err := Open(t.Context(), url, o)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got = make([]byte, f.Size())
		if _, err := f.ReadAt(got, 0); err != nil {
			t.Fatal(err)
		}
	} else {
		var err error
		if got, err = os.ReadFile(url); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("the file has %d other bytes, want %d", len(got), len(want))
	}
}

func TestUploadToDisk(t *testing.T) {
	dir := t.TempDir()
	testUpload(t, filepath.Join(dir, "big.npy"), Options{})
	testIfAbsent(t, filepath.Join(dir, "absent.npy"), Options{})
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 { // the upload that was refused is there for another Commit
		t.Errorf("%v, %v", left, err)
	}
	if _, err := Begin(t.Context(), filepath.Join(dir, "absent.npy"), format.Header{DType: dtype.Int8, Shape: []int{1}}, Options{IfAbsent: true}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
}

// A Commit that was killed before it had removed the files beside the file is finished by another.
func TestCommitTwice(t *testing.T) {
	for _, absent := range []bool{false, true} {
		for _, removed := range []string{"", "data", "part"} {
			path := filepath.Join(t.TempDir(), "a.npy")
			u, err := Begin(t.Context(), path, format.Header{DType: dtype.Uint8, Shape: []int{4, 50_000}}, Options{PartSize: 80_000, IfAbsent: absent})
			if err != nil {
				t.Fatal(err)
			}
			for n := range u.Parts() {
				if err := u.WritePart(t.Context(), n, bytes.NewReader(make([]byte, (u.Part(n).End-u.Part(n).First)*50_000))); err != nil {
					t.Fatal(err)
				}
			}
			disk := diskUpload{path, absent}
			id := u.token.ID
			move := os.Rename
			if absent {
				move = os.Link
			}
			if err := move(disk.data(id), path); err != nil {
				t.Fatal(err)
			}
			switch removed {
			case "data":
				err = os.RemoveAll(disk.data(id))
			case "part":
				err = os.Remove(filepath.Join(disk.folder(id), partName(1)))
			}
			if err != nil {
				t.Fatal(err)
			}
			if missing, err := u.Missing(t.Context()); err != nil || len(missing) > 0 {
				t.Errorf("missing %v, %v", missing, err)
			}
			if err := u.Commit(t.Context()); err != nil {
				t.Error(err)
			}
			if file, err := os.Stat(path); err != nil || file.Size() != 200_128 {
				t.Errorf("the file: %v, %v", file, err)
			}
			if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
				t.Errorf("%v are left", left)
			}
			if err := u.Commit(t.Context()); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("another Commit: error %v", err)
			}
		}
	}
}

// Parts that divide rows, as R2 wants them, have equal sizes and cover the file.
func TestParts(t *testing.T) {
	for _, url := range []string{"s3://b/a.npy", "x.npy"} {
		for _, shape := range [][]int{{5_000_000, 7}, {3, 9 << 20}, {1}, {0, 5}, {}, {100_000_000, 100}} {
			c, err := newClient(url, Options{Endpoint: "https://x.r2.cloudflarestorage.com", Anonymous: true})
			if err != nil {
				t.Fatal(err)
			}
			h := format.Header{DType: dtype.Int64, Shape: shape}
			head, err := h.Append(nil)
			if err != nil {
				if 8*shape[0] < 0 {
					continue // 32 bits
				}
				t.Skip(err)
			}
			u := &Upload{c: c, head: head}
			u.measure(h)
			u.plan()
			if u.Parts() > mostParts {
				t.Errorf("%v: %d parts", shape, u.Parts())
			}
			at, end := int64(0), int64(0)
			_, first := u.stored(0)
			for n := range u.Parts() {
				off, size := u.stored(n)
				p := u.Part(n)
				if off != at || p.Bytes.Start != end || n < u.Parts()-1 && c.equalParts() && size != first {
					t.Fatalf("%v: part %d has %d bytes at %d, %+v", shape, n, size, off, p)
				}
				at, end = off+size, p.Bytes.End
			}
			if at != int64(len(head))+h.NBytes() || end != h.NBytes() {
				t.Errorf("%v: the parts end at %d, want %d", shape, at, int64(len(head))+h.NBytes())
			}
		}
	}
}

func FuzzToken(f *testing.F) {
	u, err := Begin(f.Context(), filepath.Join(f.TempDir(), "a"), format.Header{DType: dtype.Int8, Shape: []int{3, 5}}, Options{})
	if err != nil {
		f.Fatal(err)
	}
	raw, _ := base64.RawURLEncoding.DecodeString(u.Token())
	f.Add(raw)
	f.Fuzz(func(t *testing.T, raw []byte) {
		tok, h, err := parseToken(base64.RawURLEncoding.EncodeToString(raw))
		if err != nil {
			return
		}
		u := &Upload{token: tok, head: tok.Head}
		u.measure(h)
		if u.Parts() > mostParts {
			return
		}
		end := int64(0)
		for n := range u.Parts() {
			p := u.Part(n)
			if p.Bytes.Start != end || p.Bytes.End < end || p.First < 0 || p.End > max(u.rows, 1) {
				t.Fatalf("part %d of %d is %+v", n, u.Parts(), p)
			}
			end = p.Bytes.End
		}
		if end != u.size {
			t.Errorf("the parts end at %d of %d", end, u.size)
		}
	})
}

// The variables by which a test starts itself as a process that writes parts.
const (
	joinVar = "NPY_TEST_JOIN"
	partVar = "NPY_TEST_PARTS"
)

// killRow is row i of the array that the processes write.
func killRow(i, cols int) []byte { return bytes.Repeat([]byte{byte(i), byte(i * 7)}, cols/2) }

func TestMain(m *testing.M) {
	if token := os.Getenv(joinVar); token != "" {
		if err := writeMissing(token); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writeMissing writes the missing parts whose number has the remainder in partVar of 4.
func writeMissing(token string) error {
	ctx := context.Background()
	u, err := Join(ctx, token, Options{Endpoint: os.Getenv("NPY_TEST_ENDPOINT"), Account: os.Getenv("NPY_TEST_ACCOUNT")})
	if err != nil {
		return err
	}
	missing, err := u.Missing(ctx)
	if err != nil {
		return err
	}
	share, err := strconv.Atoi(os.Getenv(partVar))
	if err != nil {
		return err
	}
	for _, n := range missing {
		if n%4 != share {
			continue
		}
		var rows bytes.Buffer
		for i := u.Part(n).First; i < u.Part(n).End; i++ {
			rows.Write(killRow(i, u.Header().Shape[1]))
		}
		if err := u.WritePart(ctx, n, &rows); err != nil {
			return err
		}
	}
	return nil
}

// Four processes write parts, and one of them is killed at a random time: Missing and a second run complete the file, and
// nothing else is left.
func TestKilledWriters(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 5
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	killWriters(t, oracle.Cases(t, rounds), path, Options{PartSize: 80_000}, nil, 64, 40_000)
	if left, err := filepath.Glob(path + "?*"); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// So it is with the servers of stores: an S3 multipart upload, objects that Google composes, blocks of Azure.
func TestKilledWritersToStores(t *testing.T) {
	eachStore(t, func(t *testing.T, s testStore) {
		s.o.PartSize = minPart
		env := []string{"NPY_TEST_ENDPOINT=" + s.o.Endpoint, "NPY_TEST_ACCOUNT=" + s.o.Account}
		for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "STORAGE_EMULATOR_HOST", "NO_GCE_CHECK", "AZURE_STORAGE_KEY"} {
			env = append(env, name+"="+s.o.getenv(name))
		}
		url := s.url(t, "a.npy")
		killWriters(t, oracle.Cases(t, 4), url, s.o, env, 10, minPart)
		for e, err := range List(t.Context(), s.scheme, s.o) {
			if err != nil || e.URL != url {
				t.Errorf("%s is left, %v", e.URL, err)
			}
		}
		for u, err := range Uploads(t.Context(), s.scheme, s.o) {
			t.Errorf("the upload %s of %s is left, %v", u.ID, u.URL, err)
		}
	})
}

// killWriters has processes write an array of bytes, some rounds long. Nothing is killed in the first, which says how long
// they take.
func killWriters(t *testing.T, rounds int, url string, o Options, env []string, rows, cols int) {
	h := format.Header{DType: dtype.Uint8, Shape: []int{rows, cols}}
	want, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		want = append(want, killRow(i, cols)...)
	}
	random := oracle.Rand(t)
	incomplete, whole := 0, time.Duration(0)
	for round := range rounds + 1 {
		u, err := Begin(t.Context(), url, h, o)
		if err != nil {
			t.Fatal(err)
		}
		var all []*exec.Cmd
		began := time.Now()
		for share := range 4 {
			all = append(all, startWriter(t, env, u.Token(), share))
		}
		if round > 0 {
			time.Sleep(time.Duration(random.Int64N(int64(whole)))) // the moment of the kill
			_ = all[random.IntN(4)].Process.Kill()
		}
		for _, cmd := range all {
			_ = cmd.Wait() // one was killed
		}
		if round == 0 {
			whole = time.Since(began)
		}
		missing, err := u.Missing(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(missing) > 0 {
			if incomplete++; round == 0 {
				t.Fatalf("parts %v are missing, and no process was killed", missing)
			}
			if err := u.Commit(t.Context()); err == nil {
				t.Fatal("Commit succeeds, and parts are missing")
			}
		}
		for share := range 4 {
			if cmd := startWriter(t, env, u.Token(), share); cmd.Wait() != nil {
				t.Fatal("the second run fails")
			}
		}
		if err := u.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		sameFile(t, url, o, want)
	}
	t.Logf("%d of %d rounds were incomplete after the kill, which came up to %s after the start", incomplete, rounds, whole)
}

func startWriter(t *testing.T, env []string, token string, share int) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(append(os.Environ(), env...), joinVar+"="+token, partVar+"="+strconv.Itoa(share))
	cmd.Stderr = os.Stderr
	err = cmd.Start()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("this is an emulated machine, which cannot start a process of its own kind")
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd
}
