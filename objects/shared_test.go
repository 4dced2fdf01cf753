package objects_test

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// sharing are values from which a pickle can make any number of arrays, for a few bytes each.
var sharing = map[string]func(n int) func() any{
	"a list": func(n int) func() any {
		items := list(make([]any, n)...)
		return func() any { return arr(1, tup(n), object, false, items) }
	},
	"bytes": func(n int) func() any {
		raw := make([]byte, n)
		return func() any { return arr(1, tup(n), simple("i1", "|"), false, raw) }
	},
	"a str of Python 2": func(n int) func() any {
		raw := strings.Repeat("x", n)
		return func() any { return arr(1, tup(n), simple("i1", "|"), false, raw) }
	},
	"a buffer": func(n int) func() any {
		raw := make([]byte, n)
		return func() any {
			return &pickle.Object{Class: frombuffer, Args: tup(raw, simple("i1", "|"), tup(n), "C")}
		}
	},
	"bytes of a scalar": func(n int) func() any {
		raw := make([]byte, n)
		d := dt("S1", 3, "|", nil, nil, nil, n, 1, 0)
		return func() any { return &pickle.Object{Class: scalar, Args: tup(d, raw)} }
	},
	"a mask": func(n int) func() any {
		raw := make([]byte, n)
		return func() any {
			state := tup(1, tup(n), simple("i1", "|"), false, raw, raw, nil)
			return &pickle.Object{Class: mareconstr, Args: tup(masked, ndarray, tup(0), "b"), State: state, HasState: true}
		}
	},
	"fields of a dtype": func(n int) func() any {
		n /= 20
		names, places := make([]any, n), new(pickle.Dict)
		for i := range names {
			name := strings.Repeat("f", i+1)
			names[i] = name
			_ = places.Set(name, tup(simple("i1", "|"), i))
		}
		all := tup(names...)
		return func() any { return dt("V1", 3, "|", nil, all, places, n, 1, 16) }
	},
	"the text of a dtype": func(n int) func() any {
		text := strings.Repeat("i1,", n/3) + "i1"
		return func() any { return dt(text) }
	},
}

// Arrays made from a shared value take memory in proportion to the pickle, up to MaxShared, and are refused beyond it.
func TestShared(t *testing.T) {
	const each = 500
	for name, share := range sharing {
		file := func(n int) []byte {
			value, values := share(each*n/100), make([]any, n)
			for i := range values {
				values[i] = value()
			}
			return file(pickled(arr(1, tup(n), object, false, list(values...))), n)
		}
		for _, n := range []int{100, 200, 400} {
			data := file(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := npy.Decoder{Objects: objects.Decoder{Pickle: pickle.Decoder{MaxShared: 1 << 10}}}.Read(bytes.NewReader(data))
			runtime.ReadMemStats(&after)
			took := int(after.TotalAlloc - before.TotalAlloc)
			if limit := 256*len(data) + 1<<20; took > limit {
				t.Errorf("%s, %d times: %d bytes for a file of %d, at most %d expected", name, n, took, len(data), limit)
			}
			if err != nil && (!errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), "over MaxShared 1024")) {
				t.Errorf("%s, %d times: error %v", name, n, err)
			}
		}
		data := file(2000)
		if _, err := (npy.Decoder{Objects: objects.Decoder{Pickle: pickle.Decoder{MaxShared: 1 << 10}}}).Read(bytes.NewReader(data)); !errors.Is(err, npy.ErrLimit) {
			t.Errorf("%s, 2000 times: error %v", name, err)
		}
	}
}

// Nested dtypes double with every level of 100 bytes.
func TestSharedDTypes(t *testing.T) {
	d := simple("i1", "|")
	for n := range 24 {
		d = dt("V1", 3, "|", nil, tup("a", "b"), fields("a", tup(d, 0), "b", tup(d, 1<<n)), 2<<n, 1, 16)
		var before, after runtime.MemStats
		data := file(pickled(arr(1, tup(1), object, false, list(d))), 1)
		runtime.ReadMemStats(&before)
		_, err := reading.Read(bytes.NewReader(data))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
			t.Fatalf("%d steps: %d bytes for a file of %d", n+1, took, len(data))
		}
		if n == 23 && (!errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), "MaxShared")) {
			t.Errorf("2**24 fields: error %v", err)
		}
	}
}
