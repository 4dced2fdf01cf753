package npy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/stats"
)

// Everything that goroutines may share is used by 16 goroutines at once here, for the race detector. The tests take
// about 2 seconds together; NPY_STRESS=10m sets the duration of each.
const (
	crowdSize     = 16
	stressDefault = 250 * time.Millisecond
)

// stressTime returns the duration of a test.
func stressTime(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("NPY_STRESS")
	if text == "" {
		return stressDefault
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("NPY_STRESS: %v", err)
	}
	return d
}

// crowd runs work again and again on several goroutines for a while, until one of them fails. Each goroutine has
// random numbers of its own. crowd returns the number of runs.
func crowd(t *testing.T, d time.Duration, work func(id int, rng *rand.Rand) error) int64 {
	t.Helper()
	var wg sync.WaitGroup
	var done atomic.Int64
	var failed atomic.Bool
	end := time.Now().Add(d)
	for id := range crowdSize {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(id), 1))
			for first := true; first || time.Now().Before(end) && !failed.Load(); first = false {
				if err := work(id, rng); err != nil {
					failed.Store(true)
					t.Errorf("goroutine %d: %v", id, err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return done.Load()
}

// stressRows and stressCols are the shape of the arrays here. Element i of member m is m*stressRows*stressCols + i.
const stressRows, stressCols = 3000, 20

func stressArray(t *testing.T, member int) *npy.Array {
	t.Helper()
	data := make([]int32, stressRows*stressCols)
	for i := range data {
		data[i] = int32(member*len(data) + i)
	}
	a, err := npy.FromSlice(data, stressRows, stressCols)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// checkRows checks that a holds the rows of a member from first on, step apart.
func checkRows(a *npy.Array, member, first, step int) error {
	v, err := npy.As[int32](a)
	if err != nil {
		return err
	}
	for i, row := range v.Rows() {
		for j := range stressCols {
			want := int32((member*stressRows+first+i*step)*stressCols + j)
			if got := row.At(j); got != want {
				return fmt.Errorf("member %d, row %d, column %d: %d, want %d", member, first+i*step, j, got, want)
			}
		}
	}
	return nil
}

var stressMembers = []string{"0", "1", "2", "3", "4", "5"}

// stressArchive writes an archive whose members are stored.
func stressArchive(t *testing.T, e npz.Encoder) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.npz")
	var members []npz.Member
	for m, name := range stressMembers {
		members = append(members, npz.Member{Name: name, Array: stressArray(t, m)})
	}
	if err := e.Save(path, members...); err != nil {
		t.Fatal(err)
	}
	return path
}

// readSomething reads a member of an archive in a random way.
func readSomething(z *npz.Reader, stored bool, rng *rand.Rand) error {
	m := rng.IntN(len(stressMembers))
	name, first, step := stressMembers[m], rng.IntN(stressRows), 1+rng.IntN(50)
	switch rng.IntN(7) {
	case 0:
		a, err := z.Array(name)
		if err != nil {
			return err
		}
		return checkRows(a, m, 0, 1)
	case 1, 2:
		a, err := z.Slice(name, npy.SpanFrom(first).By(step))
		if err != nil {
			return err
		}
		return checkRows(a, m, first, step)
	case 3:
		for member, err := range z.All() {
			if err != nil {
				return err
			}
			if err := checkRows(member.Array, int(member.Name[0]-'0'), 0, 1); err != nil || rng.IntN(3) == 0 {
				return err
			}
		}
	case 4:
		_, err := fs.ReadFile(z, name+".npy")
		return err
	case 5:
		if err := z.BuildIndex(name); err != nil {
			return err
		}
		info, err := z.Info(name)
		if err != nil {
			return err
		}
		_, err = json.Marshal(info)
		return err
	case 6:
		if !stored {
			return nil
		}
		mapped, err := z.Map(name)
		if errors.Is(err, errors.ErrUnsupported) {
			return nil
		}
		if err != nil {
			return err
		}
		defer mapped.Close()
		return mapped.Do(func(a *npy.Array) error { return checkRows(a, m, 0, 1) })
	}
	return nil
}

func TestStressReader(t *testing.T) {
	for _, e := range []npz.Encoder{{}, {Store: true}} {
		z, err := npz.Open(stressArchive(t, e))
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		n := crowd(t, stressTime(t), func(_ int, rng *rand.Rand) error { return readSomething(z, e.Store, rng) })
		t.Logf("%d reads, stored %t", n, e.Store)
	}
}

// Readers that are closed while in use return the right data, or an error that they are closed.
func TestStressReaderClosed(t *testing.T) {
	path := stressArchive(t, npz.Encoder{Store: true})
	closed := 0
	rng := rand.New(rand.NewPCG(3, 4))
	for end := time.Now().Add(stressTime(t)); closed == 0 || time.Now().Before(end) && !t.Failed(); closed++ {
		z, err := npz.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		closeAfter(t, z, time.Duration(rng.IntN(5000))*time.Microsecond, func(rng *rand.Rand) error { return readSomething(z, true, rng) })
	}
	t.Logf("%d readers closed", closed)
}

// closeAfter runs use on several goroutines until it fails because of a close, which happens after a while.
func closeAfter(t *testing.T, c io.Closer, wait time.Duration, use func(rng *rand.Rand) error) {
	t.Helper()
	var wg sync.WaitGroup
	for id := range crowdSize {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(id), uint64(wait)))
			for {
				err := use(rng)
				if errors.Is(err, fs.ErrClosed) {
					return
				}
				if err != nil {
					t.Errorf("goroutine %d: %v, want fs.ErrClosed or nothing", id, err)
					return
				}
			}
		})
	}
	time.Sleep(wait) // the moment of the close
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
}

// The memory of a file stays while a Do runs, and is gone for later calls.
func TestStressMapClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.WriteFile(path, stressArray(t, 0)); err != nil {
		t.Fatal(err)
	}
	closed := 0
	rng := rand.New(rand.NewPCG(5, 6))
	for end := time.Now().Add(stressTime(t)); closed == 0 || time.Now().Before(end) && !t.Failed(); closed++ {
		f, err := mmap.Open(path)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("files cannot be mapped here")
		}
		if err != nil {
			t.Fatal(err)
		}
		closeAfter(t, f, time.Duration(rng.IntN(3000))*time.Microsecond, func(rng *rand.Rand) error {
			first := rng.IntN(stressRows)
			switch rng.IntN(3) {
			case 0:
				data, _, err := mmap.Load[int32](f, npy.Span(first, stressRows))
				if err == nil && data[0] != int32(first*stressCols) {
					err = fmt.Errorf("row %d begins with %d", first, data[0])
				}
				return err
			case 1:
				return f.Do(func(a *npy.Array) error {
					_, err := stats.Of(context.Background(), a)
					return err
				})
			}
			return f.Do(func(a *npy.Array) error { return checkRows(a, 0, 0, 1) })
		})
	}
	t.Logf("%d mappings closed", closed)
}

// Each goroutine writes rows of its own to one mapping, while all flush it.
func TestStressMapWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	f, err := mmap.Create(path, dtype.Int64, crowdSize, 100)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("files cannot be mapped here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Do(func(a *npy.Array) error {
		v, err := npy.As[int64](a)
		if err == nil && !v.Shared() {
			t.Skip("with the tag purego views of maps are copies")
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var counts [crowdSize]int64
	crowd(t, stressTime(t)/2, func(id int, rng *rand.Rand) error {
		counts[id]++
		err := f.Do(func(a *npy.Array) error {
			v, err := npy.As[int64](a)
			if err != nil {
				return err
			}
			for j := range 100 {
				v.Set(counts[id], id, j)
			}
			return nil
		})
		if err == nil && rng.IntN(50) == 0 {
			err = f.FlushRows(id, id+1)
		}
		return err
	})
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data, _, err := npy.Load[int64](path)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range data {
		if x != counts[i/100] {
			t.Fatalf("row %d has %d, want %d", i/100, x, counts[i/100])
		}
	}
}

// Some goroutines edit an archive while others open and read it. Each reader sees the whole archive of one moment,
// before an edit or after it. Of concurrent edits only one takes effect.
func TestStressEdit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not replace files that are open")
	}
	path := stressArchive(t, npz.Encoder{Store: true})
	const editors = 4
	var edits atomic.Int64
	n := crowd(t, stressTime(t), func(id int, rng *rand.Rand) error {
		if id < editors {
			a, err := npy.FromSlice(slices.Repeat([]int64{edits.Add(1)}, 500))
			if err != nil {
				return err
			}
			return npz.Edit(path, func(ed *npz.Editor) error {
				if ed.Has("edited") {
					return ed.Replace("edited", a)
				}
				return ed.Add("edited", a)
			})
		}
		return readEdited(path, rng)
	})
	t.Logf("%d edits and reads", n)
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); err != nil || len(left) != 1 {
		t.Errorf("files are left over: %v, %v", left, err)
	}
}

// readEdited opens an archive during edits: members that are not edited are unchanged, and edited members come from
// one edit.
func readEdited(path string, rng *rand.Rand) error {
	z, err := npz.Open(path)
	if err != nil {
		return err
	}
	defer z.Close()
	if z.Has("edited") {
		data, _, err := npz.Load[int64](z, "edited")
		if err != nil {
			return err
		}
		for i, x := range data {
			if x != data[0] {
				return fmt.Errorf("element %d is of edit %d, element 0 of edit %d", i, x, data[0])
			}
		}
	}
	m := rng.IntN(len(stressMembers))
	a, err := z.Array(stressMembers[m])
	if err != nil {
		return err
	}
	return checkRows(a, m, 0, 1)
}

type stressRecord struct {
	ID    int64
	Value float32
	Name  string `npy:",U8"`
}

// All goroutines read one file: slices, statistics, text, and rows by a reader for each over its data. All rows use
// one Plan.
func TestStressFile(t *testing.T) {
	dir := t.TempDir()
	path, records := filepath.Join(dir, "a.npy"), filepath.Join(dir, "r.npy")
	if err := npy.WriteFile(path, stressArray(t, 0)); err != nil {
		t.Fatal(err)
	}
	rows := make([]stressRecord, 9000) // more than are read ahead
	for i := range rows {
		rows[i] = stressRecord{int64(i), float32(i), fmt.Sprint(i)}
	}
	if err := record.Save(records, rows); err != nil {
		t.Fatal(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := os.Open(records)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	shared, err := npy.Open(records)
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	plan, err := record.Compile[stressRecord](shared.DType())
	if err != nil {
		t.Fatal(err)
	}
	n := crowd(t, stressTime(t), func(_ int, rng *rand.Rand) error {
		first, step := rng.IntN(stressRows), 1+rng.IntN(50)
		switch rng.IntN(5) {
		case 0:
			a, err := f.Slice(npy.SpanFrom(first).By(step))
			if err != nil {
				return err
			}
			return checkRows(a, 0, first, step)
		case 1:
			all, err := stats.Of(context.Background(), f)
			if err == nil && all[0].Max.Float64() != stressRows*stressCols-1 {
				err = fmt.Errorf("the largest element is %s", all[0].Max)
			}
			return err
		case 2:
			a, err := shared.Slice(npy.Span(first, first+10))
			if err != nil {
				return err
			}
			got := make([]stressRecord, 10)
			if err := plan.Decode(got, a.Bytes()); err != nil {
				return err
			}
			return checkRecords(got, first)
		case 3:
			return npy.Printer{}.Print(io.Discard, f)
		}
		return readRecords(io.NewSectionReader(file, 0, info.Size()), rng)
	})
	t.Logf("%d reads", n)
}

func checkRecords(got []stressRecord, first int) error {
	for i, r := range got {
		if want := (stressRecord{int64(first + i), float32(first + i), fmt.Sprint(first + i)}); r != want {
			return fmt.Errorf("record %d is %+v", first+i, r)
		}
	}
	return nil
}

// readRecords goes through the rows of a file, stops, and goes on from there.
func readRecords(r io.Reader, rng *rand.Rand) error {
	rows, err := record.NewRowReader[stressRecord](r)
	if err != nil {
		return err
	}
	next := 0
	for next < 9000 {
		stop := next + 1 + rng.IntN(4000)
		for row, err := range rows.Records() {
			if err == nil {
				err = checkRecords([]stressRecord{row}, next)
			}
			if err != nil {
				return err
			}
			if next++; next == stop {
				break
			}
		}
	}
	return nil
}

// A service with many concurrent requests wants each to stay on its own goroutine.
func ExampleSetWorkers() {
	before := npy.SetWorkers(1)
	defer npy.SetWorkers(before)
	fmt.Println(before)
	// Output: 0
}

func TestSetWorkers(t *testing.T) {
	if before := npy.SetWorkers(3); before != 0 {
		t.Errorf("the limit was %d before anybody set one", before)
	}
	if before := npy.SetWorkers(-1); before != 3 {
		t.Errorf("the limit was %d, want the 3 that were set", before)
	}
	if before := npy.SetWorkers(0); before != 0 {
		t.Errorf("a negative limit is %d, want 0", before)
	}
}
