package npz_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy/npz"
)

// Rewrite makes the archive that its Encoder would have written.
func TestRewrite(t *testing.T) {
	members := variety(t)
	members = members[len(members)-4:]
	dir := t.TempDir()
	from, to, want := filepath.Join(dir, "from"), filepath.Join(dir, "to"), filepath.Join(dir, "want")
	for name, e := range settings() {
		for _, old := range []npz.Encoder{{}, {Store: true}, {Zstd: true}} {
			if err := errors.Join(old.Save(from, members...), e.Save(want, members...)); err != nil {
				t.Fatal(err)
			}
			z := must(npz.Open(from))
			last, total := int64(0), int64(0)
			err := e.Rewrite(to, z, func(done, all int64) {
				if done <= last || done > all {
					t.Errorf("progress: %d of %d after %d", done, all, last)
				}
				last, total = done, all
			})
			z.Close()
			if err != nil {
				t.Fatal(err)
			}
			if last == 0 || last != total {
				t.Errorf("progress ends at %d of %d", last, total)
			}
			if !bytes.Equal(must(os.ReadFile(to)), must(os.ReadFile(want))) {
				t.Errorf("%s from %+v: other bytes", name, old)
			}
		}
	}
}

// Rewrite copies members of unknown methods unchanged, and stops at damaged members.
func TestRewriteForeign(t *testing.T) {
	path := foreign(t)
	if err := npz.Edit(path, func(e *npz.Editor) error { return errors.Join(e.Delete("twice"), e.Delete("raw")) }); err != nil {
		t.Fatal(err)
	}
	before := raw(t, path)
	z := must(npz.Open(path))
	err := npz.Encoder{Store: true}.Rewrite(path, z, nil)
	if runtime.GOOS == "windows" { // where open files cannot be replaced
		if err == nil || !strings.Contains(err.Error(), "foreign.npz") {
			t.Errorf("an open archive is replaced: %v", err)
		}
		path += "2"
		err = npz.Encoder{Store: true}.Rewrite(path, z, nil)
	}
	z.Close()
	if err != nil {
		t.Fatal(err)
	}
	after := raw(t, path)
	if before["lzma.bin"] != after["lzma.bin"] {
		t.Errorf("lzma.bin: %.300s, was %.300s", after["lzma.bin"], before["lzma.bin"])
	}
	z = must(npz.Open(path))
	defer z.Close()
	if got := must(z.Bytes("café")); !strings.HasPrefix(string(got), "the content of member 3") {
		t.Errorf("café: %.50q", got)
	}
	damaged := abc(t, npz.Encoder{})
	data := must(os.ReadFile(damaged))
	data[100] ^= 1
	bad := open(t, data)
	err = npz.Encoder{}.Rewrite(damaged, bad, nil)
	if err == nil || strings.Count(err.Error(), "member") != 1 || !strings.Contains(err.Error(), `member "a.npy" at byte 0`) {
		t.Errorf("a damaged archive: error %v", err)
	}
	if got := contents(t, damaged); got != "a=1 b=2 c=3" {
		t.Errorf("after that %s is left", got)
	}
}

// Archives of all settings are read back.
func TestRoundTrip(t *testing.T) {
	members := variety(t)
	for name, e := range settings() {
		z := open(t, writeStream(t, e, members))
		i := 0
		for m, err := range z.All() {
			if err != nil {
				t.Fatal(err)
			}
			if want := members[i]; m.Name != want.Name || !m.Array.DType().Equal(want.Array.DType()) || !bytes.Equal(m.Array.Bytes(), want.Array.Bytes()) {
				t.Errorf("%s: member %s has changed", name, m.Name)
			}
			i++
		}
		if i != len(members) {
			t.Errorf("%s: %d members, want %d", name, i, len(members))
		}
	}
}
