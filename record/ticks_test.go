package record_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// A ticking has nanoseconds in its tags.
type ticking struct {
	T scalar.Datetime64     `npy:"t,M8[ns]"`
	D [2]scalar.Timedelta64 `npy:"d,m8[ns]"`
}

const (
	newYear = 1704067200_000000 // 2024-01-01 in microseconds
	inFiles = "[('t', '<M8[us]'), ('d', '<m8[us]', (2,))]"
)

// microseconds returns an array of events as another program may write them.
func microseconds(t *testing.T, times ...int64) *npy.Array {
	t.Helper()
	type other struct {
		T scalar.Datetime64     `npy:"t,<M8[us]"`
		D [2]scalar.Timedelta64 `npy:"d,<m8[us]"`
	}
	data := make([]other, len(times))
	for i, x := range times {
		data[i] = other{scalar.Datetime64{Ticks: x}, [2]scalar.Timedelta64{{Ticks: int64(i)}, {Ticks: scalar.NaT}}}
	}
	a, err := record.FromSliceAs(parse(t, inFiles), data)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Ticks are converted to the step of the tag, by every way of reading.
func TestTicksOfAnotherStep(t *testing.T) {
	a := microseconds(t, newYear, scalar.NaT, -1)
	path := filepath.Join(t.TempDir(), "events.npy")
	if err := npy.WriteFile(path, a); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []ticking{
		{scalar.Datetime64{Ticks: newYear * 1000}, [2]scalar.Timedelta64{{Ticks: 0}, {Ticks: scalar.NaT}}},
		{scalar.Datetime64{Ticks: scalar.NaT}, [2]scalar.Timedelta64{{Ticks: 1000}, {Ticks: scalar.NaT}}},
		{scalar.Datetime64{Ticks: -1000}, [2]scalar.Timedelta64{{Ticks: 2000}, {Ticks: scalar.NaT}}},
	}
	for name, read := range map[string]func() ([]ticking, error){
		"Of":   func() ([]ticking, error) { return record.ToSlice[ticking](a) },
		"Load": func() ([]ticking, error) { data, _, err := record.Load[ticking](path); return data, err },
		"Read": func() ([]ticking, error) {
			data, _, err := record.LoadFrom[ticking](bytes.NewReader(file))
			return data, err
		},
		"RowReader": func() ([]ticking, error) {
			r, err := record.NewRowReader[ticking](bytes.NewReader(file))
			if err != nil {
				return nil, err
			}
			data := make([]ticking, 3)
			_, err = r.Next(data)
			return data, err
		},
		"Decode": func() ([]ticking, error) {
			p, err := record.Compile[ticking](a.DType())
			if err != nil {
				return nil, err
			}
			data := make([]ticking, 3)
			return data, p.Decode(data, a.Bytes())
		},
	} {
		if got, err := read(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, want)
		}
	}
	var out bytes.Buffer
	if err := record.SaveTo(&out, want); err != nil {
		t.Fatal(err)
	}
	b, err := npy.Read(&out)
	if err != nil || b.DType().Descr() != inNativeOrder("[('t', '<M8[ns]'), ('d', '<m8[ns]', (2,))]") {
		t.Fatalf("written as %v, %v", b, err)
	}
	type moments struct{ T time.Time }
	if got, err := record.ToSlice[moments](mustSlice(t, b, npy.Span(0, 1))); err != nil || !got[0].T.Equal(time.UnixMicro(newYear)) {
		t.Errorf("saved as %v, %v, want %v", got, err, time.UnixMicro(newYear))
	}
}

func mustSlice(t *testing.T, a *npy.Array, index ...npy.Index) *npy.Array {
	t.Helper()
	b, err := a.Slice(index...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// ViewOf refuses memory whose ticks have another step than the structs.
func TestViewOfTicks(t *testing.T) {
	if _, err := record.ViewOf[ticking](microseconds(t, newYear)); !errors.Is(err, errors.ErrUnsupported) {
		t.Error("microseconds are viewed as nanoseconds")
	}
	a, err := record.FromSlice([]ticking{{T: scalar.Datetime64{Ticks: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := record.ViewOf[ticking](a); (err == nil) != (v != nil) || err == nil && v[0].T.Ticks != 1 {
		t.Errorf("nanoseconds as they are: %v, %v", v, err)
	}
}

// A time that overflows 64 bits in the step of the tag is an error that names it.
func TestTicksOutOfRange(t *testing.T) {
	_, err := record.ToSlice[ticking](microseconds(t, 0, newYear, 1e17))
	var e *record.ValueError
	if !errors.As(err, &e) || e.Record != 2 || e.Path != "t" || !errors.Is(err, scalar.ErrRange) {
		t.Errorf("year 5138 in nanoseconds: %v", err)
	}
}

// Ticks are not written in another step, even if some values would allow it.
func TestTicksAreNotWrittenInAnotherStep(t *testing.T) {
	data := []ticking{{T: scalar.Datetime64{Ticks: newYear * 1000}}}
	_, asErr := record.FromSliceAs(parse(t, "[('t', '<M8[ms]'), ('d', '<m8[ns]', (2,))]"), data)
	path := filepath.Join(t.TempDir(), "events.npy")
	if err := npy.WriteFile(path, microseconds(t, newYear)); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := npy.OpenAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	appendErr := record.AppendRows(l, data)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed, %v", err)
	}
	for name, c := range map[string]struct {
		err  error
		text string
	}{
		"FromSliceAs": {asErr, "npy: dtype <M8[ms] of field t and Go type scalar.Datetime64 do not fit: Go field T can read it and not write it: " +
			"its tag says <M8[ns], in which there are values between those of <M8[ms]; say <M8[ms] or use time.Time"},
		"Append": {appendErr, "npy: dtype <M8[us] of field t and Go type scalar.Datetime64 do not fit: Go field T can read it and not write it: " +
			"its tag says <M8[ns], in which there are values between those of <M8[us]; say <M8[us] or use time.Time"},
	} {
		var e *npy.TypeError
		if !errors.As(c.err, &e) || e.Path != "t" || strings.ReplaceAll(c.err.Error(), ">", "<") != c.text {
			t.Errorf("%s: %v, want a *TypeError: %s", name, c.err, c.text)
		}
	}
}

// The step in a tag applies within arrays, within nested structs, and within structs that have the tag themselves.
func TestTaggedTicksInside(t *testing.T) {
	type inner struct {
		T [1]scalar.Datetime64 `npy:"t,(1,)M8[ms]"`
	}
	type row struct {
		In   [2]inner
		Told struct{ A scalar.Timedelta64 } `npy:"told,[('A', 'm8[ms]')]"`
		Free scalar.Datetime64
	}
	const file = "[('In', [('t', '<M8[s]', (1,))], (2,)), ('told', [('A', '<m8[s]')]), ('Free', '<M8[s]')]"
	type plain struct {
		In [2]struct {
			T [1]scalar.Datetime64 `npy:"t"`
		}
		Told struct{ A scalar.Timedelta64 }
		Free scalar.Datetime64
	}
	data := make([]plain, 1)
	data[0].In[0].T[0], data[0].In[1].T[0], data[0].Told.A, data[0].Free = scalar.Datetime64{Ticks: 1}, scalar.Datetime64{Ticks: 2}, scalar.Timedelta64{Ticks: 3}, scalar.Datetime64{Ticks: 4}
	a, err := record.FromSliceAs(parse(t, file), data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := record.ToSlice[row](a)
	if err != nil || got[0].In[0].T[0].Ticks != 1000 || got[0].In[1].T[0].Ticks != 2000 || got[0].Told.A.Ticks != 3000 || got[0].Free.Ticks != 4 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A time.Duration is m8[ns]. It is an integer of nanoseconds only if its tag says so.
func TestDurationIsATimedelta(t *testing.T) {
	type row struct{ D time.Duration }
	d, err := record.DType[row]()
	if want := inNativeOrder("[('D', '<m8[ns]')]"); err != nil || d.Descr() != want {
		t.Errorf("dtype %s, %v, want %s", d, err, want)
	}
	seconds, err := record.FromSliceAs(parse(t, "[('D', '<i4')]"), []struct{ D int32 }{{5}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = record.ToSlice[row](seconds)
	const text = "npy: dtype <i4 of field D and Go type time.Duration do not fit: Go field D is a timedelta64 and these are integers: use int64, or the tag ,i8 if they count nanoseconds"
	var e *npy.TypeError
	if !errors.As(err, &e) || err.Error() != text {
		t.Errorf("<i4 as a time.Duration: %v, want %s", err, text)
	}
	type integers struct {
		D time.Duration `npy:",i8"`
	}
	if got, err := record.ToSlice[integers](seconds); err != nil || got[0].D != 5 {
		t.Errorf("<i4 with the tag i8: %v, %v, want 5ns", got, err)
	}
	five, err := record.FromSliceAs(parse(t, "[('D', '<m8[s]')]"), []struct{ D scalar.Timedelta64 }{{scalar.Timedelta64{Ticks: 5}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]func() (time.Duration, error){
		"no tag": func() (time.Duration, error) { got, err := record.ToSlice[row](five); return got[0].D, err },
		"i8":     func() (time.Duration, error) { got, err := record.ToSlice[integers](five); return got[0].D, err },
	} {
		if d, err := got(); err != nil || d != 5*time.Second {
			t.Errorf("m8[s] with %s: %v, %v, want 5s", name, d, err)
		}
	}
}

// Tags of times that cannot be converted from or to the dtype of a file.
func TestTickTypeErrors(t *testing.T) {
	type coarse struct {
		T scalar.Datetime64 `npy:"t,M8[us]"`
	}
	type unitless struct {
		T scalar.Datetime64 `npy:"t,M8"`
	}
	type other struct {
		T scalar.Datetime64 `npy:"t,m8[us]"`
	}
	type months struct {
		D scalar.Timedelta64 `npy:"d,m8[M]"`
	}
	for name, c := range map[string]func(*testing.T) error{
		"finer":               compile[coarse]("[('t', '<M8[ns]')]"),
		"no multiple":         compile[coarse]("[('t', '<M8[1500ns]')]"),
		"generic in the file": compile[coarse]("[('t', '<M8')]"),
		"generic in the tag":  compile[unitless]("[('t', '<M8[us]')]"),
		"a timedelta":         compile[other]("[('t', '<M8[us]')]"),
		"days as months":      compile[months]("[('d', '<m8[D]')]"),
		"derived timedelta":   derive[other](),
	} {
		var e *npy.TypeError
		if err := c(t); !errors.As(err, &e) || e.Hint == "" || strings.Contains(e.Hint, "%!") {
			t.Errorf("%s: %v, want a *TypeError", name, err)
		}
	}
	for name, c := range map[string]func(*testing.T) error{
		"coarser":       compile[coarse]("[('t', '>M8[3W]')]"),
		"years":         compile[coarse]("[('t', '<M8[Y]')]"),
		"the same":      compile[coarse]("[('t', '>M8[us]')]"),
		"both generic":  compile[unitless]("[('t', '<M8')]"),
		"years, months": compile[months]("[('d', '<m8[Y]')]"),
	} {
		if err := c(t); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
