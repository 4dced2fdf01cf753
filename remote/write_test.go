package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
)

// Files of all sizes and names come back, and are listed.
func TestStoreFiles(t *testing.T) {
	eachStore(t, func(t *testing.T, s testStore) {
		o, random := s.o, oracle.Rand(t)
		o.PartSize = minPart
		files := map[string][]byte{
			"empty.npy": {}, "a/small.npy": randomBytes(1000), "a/b/one part.npy": randomBytes(minPart), "more.npy": randomBytes(minPart + 1),
			"a/big é+%&=?#~!*'(.npy": randomBytes(3*minPart + 12345),
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			url, data := s.url(t, name), files[name]
			if err := create(t, url, o, data); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			f := open(t, url, o)
			if f.Size() != int64(len(data)) || f.URL() != url {
				t.Fatalf("%s: %d bytes at %s, want %d", name, f.Size(), f.URL(), len(data))
			}
			readRight(t, f, data, 0, len(data))
			for range 20 {
				off := random.IntN(len(data) + 1)
				readRight(t, f, data, off, random.IntN(len(data)-off+1))
			}
		}
		for pattern, want := range map[string]int{"": 5, "*.npy": 2, "a/*.npy": 2, "a/**": 3, "**/*.npy": 5, "a/?/one*": 1, "a/[x]*": 0, "none/": 0} {
			n := 0
			for e, err := range List(t.Context(), s.url(t, pattern), o) {
				if err != nil {
					t.Fatal(err)
				}
				name := strings.TrimPrefix(e.URL, s.url(t, ""))
				if data, ok := files[name]; !ok || e.Size != int64(len(data)) || e.Modified.IsZero() {
					t.Errorf("%s: listed with %d bytes, %v", e.URL, e.Size, e.Modified)
				}
				n++
			}
			if n != want {
				t.Errorf("%s lists %d files, want %d", pattern, n, want)
			}
		}
	})
}

// Refusals, and the remains after giving up.
func TestStoreErrors(t *testing.T) {
	eachStore(t, func(t *testing.T, s testStore) {
		o := s.o
		o.PartSize = minPart
		data := randomBytes(100)
		url := s.url(t, "a.npy")
		if _, err := Open(t.Context(), url, o); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a file that is not there: %v", err)
		}
		if err := create(t, url, o, data); err != nil {
			t.Fatal(err)
		}
		if s.wrong != nil {
			wrong := withEnv(s.wrong)
			wrong.Endpoint, wrong.Account = o.Endpoint, o.Account
			_, err := Open(t.Context(), url, wrong)
			if !errors.Is(err, fs.ErrPermission) {
				t.Errorf("wrong credentials: %v", err)
			}
			noSecret(t, err)
			wrong.Anonymous = true
			if _, err := Open(t.Context(), url, wrong); !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("no credentials: %v", err)
			}
		}
		absent := o
		absent.IfAbsent = true
		if s.conditions {
			for _, n := range []int{100, minPart + 1} {
				if err := create(t, url, absent, randomBytes(n)); !errors.Is(err, fs.ErrExist) {
					t.Errorf("creation of %d bytes where a file is: %v", n, err)
				}
			}
		}
		if err := create(t, s.url(t, "new.npy"), absent, data); err != nil {
			t.Errorf("creation where no file is: %v", err)
		}
		f := open(t, url, o)
		readRight(t, f, data, 0, 100)
		w, err := Create(t.Context(), s.url(t, "aborted.npy"), o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(randomBytes(3 * minPart)); err != nil {
			t.Fatal(err)
		}
		w.Abort()
		if err := w.Close(); err == nil {
			t.Error("Close after Abort succeeds")
		}
		n := 0
		npytest.TestAbort(t, func(t *testing.T) (npytest.Aborter, func() error, func() bool) {
			n++
			url := s.url(t, fmt.Sprintf("given-up-%d.npy", n))
			w, err := Create(t.Context(), url, o)
			if err != nil {
				t.Fatal(err)
			}
			write := func() error {
				_, err := w.Write(randomBytes(minPart + 1))
				return err
			}
			return w, write, func() bool {
				f, err := Open(t.Context(), url, o)
				if err != nil {
					return false
				}
				f.Close()
				return true
			}
		})
		for e, err := range List(t.Context(), s.url(t, "abort*"), o) {
			t.Errorf("after Abort there is %s, %v", e.URL, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if w, err = Create(ctx, s.url(t, "cancelled.npy"), o); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(randomBytes(2 * minPart)); err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := w.Close(); !errors.Is(err, context.Canceled) {
			t.Errorf("Close with a cancelled context: %v", err)
		}
	})
}

// A file that is replaced while it is read is an error, also where the server ignores conditions.
func TestStoreChanges(t *testing.T) {
	eachStore(t, func(t *testing.T, s testStore) {
		url := s.url(t, "a.npy")
		if err := create(t, url, s.o, randomBytes(1<<20)); err != nil {
			t.Fatal(err)
		}
		f := open(t, url, s.o)
		if err := create(t, url, s.o, bytes.Repeat([]byte{1}, 1<<20)); err != nil {
			t.Fatal(err)
		}
		if _, err := f.ReadAt(make([]byte, 10), 500<<10); !errors.Is(err, ErrChanged) {
			t.Errorf("error %v", err)
		}
	})
}

// Rows of an unknown number are the bytes of np.save.
func TestRowWriter(t *testing.T) {
	eachStore(t, func(t *testing.T, s testStore) {
		o := s.o
		o.PartSize = minPart
		for _, rows := range []int{0, 10, 300_000} {
			url := s.url(t, "rows.npy")
			w, err := Create(t.Context(), url, o)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Abort()
			r, err := npy.NewRowWriter[int64](w, npy.UnknownRows, 4)
			if err != nil {
				t.Fatal(err)
			}
			all := make([]int64, 4*rows)
			for i := range all {
				all[i] = int64(i)
			}
			for i := 0; i < rows; i += 1000 {
				if err := r.Write(all[4*i : 4*min(i+1000, rows)]); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(r.Close(), w.Close()); err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if err := npy.SaveTo(&want, all, rows, 4); err != nil {
				t.Fatal(err)
			}
			f := open(t, url, o)
			if f.Size() != int64(want.Len()) {
				t.Fatalf("%d bytes, want %d", f.Size(), want.Len())
			}
			readRight(t, f, want.Bytes(), 0, want.Len())
		}
	})
}

// saved returns a header and the file of an array with it.
func saved(t *testing.T, rows int, fortran bool) (format.Header, []byte) {
	t.Helper()
	h := format.Header{DType: dtype.Int32.WithByteOrder(dtype.BigEndian), Shape: []int{rows, 1000}, FortranOrder: fortran}
	head, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return h, append(head, randomBytes(4000*rows)...)
}

// Parts are written in any order by those who join, and the file has the bytes of np.save.
func testUpload(t *testing.T, url string, o Options) {
	ctx, random := t.Context(), oracle.Rand(t)
	for _, tt := range []struct {
		rows    int
		fortran bool
	}{{5000, false}, {5000, true}, {0, false}, {3, false}} {
		h, want := saved(t, tt.rows, tt.fortran)
		o.PartSize = minPart
		u, err := Begin(ctx, url, h, o)
		if err != nil {
			t.Fatal(err)
		}
		elements := want[len(want)-4000*tt.rows:]
		order := random.Perm(u.Parts())
		for i, n := range order {
			missing, err := u.Missing(ctx)
			if err != nil || len(missing) != len(order)-i {
				t.Fatalf("%v are missing, %v; %d were written", missing, err, i)
			}
			if err := u.Commit(ctx); err == nil || !strings.Contains(err.Error(), "missing") {
				t.Errorf("Commit with missing parts: %v", err)
			}
			j, err := Join(ctx, u.Token(), o)
			if err != nil {
				t.Fatal(err)
			}
			p := j.Part(n)
			part := elements[p.Bytes.Start:p.Bytes.End]
			for _, bad := range [][]byte{append(slices.Clone(part), 1), part[:max(len(part)-1, 0)]} {
				if err := j.WritePart(ctx, n, bytes.NewReader(bad)); err == nil && len(bad) != len(part) {
					t.Errorf("a part of %d bytes is written for one of %d", len(bad), len(part))
				}
			}
			for range 2 {
				if err := j.WritePart(ctx, n, bytes.NewReader(part)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := u.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		sameFile(t, url, o, want)
		if err := u.Commit(ctx); err == nil {
			t.Error("a second Commit succeeds")
		}
	}
	h, _ := saved(t, 10, false)
	u, err := Begin(ctx, url, h, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Abort(ctx); err != nil {
		t.Errorf("Abort: %v", err)
	}
	if err := u.Commit(ctx); err == nil {
		t.Error("Commit after Abort succeeds")
	}
}

func TestUploadToStores(t *testing.T) {
	eachStore(t, func(t *testing.T, s testStore) { testUpload(t, s.url(t, "big.npy"), s.o) })
}

// Conditional creation of an upload.
func TestUploadIfAbsent(t *testing.T) {
	eachStore(t, func(t *testing.T, s testStore) {
		if !s.conditions {
			t.Skip("the server ignores conditions")
		}
		testIfAbsent(t, s.url(t, "big.npy"), s.o)
	})
}

func testIfAbsent(t *testing.T, url string, o Options) {
	h, want := saved(t, 3, false)
	o.IfAbsent = true
	one, err := Begin(t.Context(), url, h, o)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Begin(t.Context(), url, h, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range []*Upload{one, two} {
		if err := u.WritePart(t.Context(), 0, bytes.NewReader(want[len(want)-12000:])); err != nil {
			if i == 1 && errors.Is(err, fs.ErrExist) {
				continue
			}
			t.Fatal(err)
		}
		if err := u.Commit(t.Context()); i == 0 && err != nil || i == 1 && !errors.Is(err, fs.ErrExist) && !strings.Contains(err.Error(), "missing") {
			t.Errorf("Commit %d: %v", i, err)
		}
	}
	sameFile(t, url, o, want)
}

// Behind a network that loses requests and answers, writes that succeed are right.
func TestUnreliableStores(t *testing.T) {
	eachStore(t, func(t *testing.T, s testStore) {
		s = s.unreliable(t)
		testUpload(t, s.url(t, "big.npy"), s.o)
		s.o.PartSize = minPart
		s.o.IfAbsent = s.conditions && s.name != "Azure"
		for i, n := range []int{0, 100, 100, 100, minPart + 1, 2*minPart + 1, 2*minPart + 1} {
			data := randomBytes(n + i)
			url := s.url(t, fmt.Sprint(i))
			if err := create(t, url, s.o, data); err != nil {
				t.Fatalf("%d bytes: %v", n, err)
			}
			sameFile(t, url, s.o, data)
		}
	})
}
