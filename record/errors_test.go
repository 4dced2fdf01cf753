package record_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

func compile[T any](descr string, strict ...bool) func(*testing.T) error {
	return func(t *testing.T) error {
		_, err := record.Loader[T]{Strict: len(strict) > 0}.Compile(parse(t, descr))
		return err
	}
}

func derive[T any]() func(*testing.T) error {
	return func(*testing.T) error {
		_, err := record.DType[T]()
		return err
	}
}

type recursive struct {
	B struct{ Next *recursive }
}

// Types that do not fit are a TypeError with the path of the field and a text that names both types.
func TestTypeErrors(t *testing.T) {
	type empty struct{}
	type emb struct{ A int32 }
	for _, c := range []struct {
		name string
		do   func(*testing.T) error
		path string
		text string
	}{
		{"narrow", compile[struct{ A float32 }]("[('A', '<f8')]"), "A",
			"npy: dtype <f8 of field A and Go type float32 do not fit: values could change in Go field A; it can be float64 or complex128, or allow the change with Casting: npy.SameKindCasting"},
		{"nested", compile[struct{ A struct{ B int8 } }]("[('A', [('B', '<i2')])]"), "A.B",
			"npy: dtype <i2 of field A.B and Go type int8 do not fit: values could change in Go field A.B; it can be int16 or int32 or int64 or int or float32 or float64 or complex64 or complex128, or allow the change with Casting: npy.SameKindCasting"},
		{"missing", compile[struct{ X int32 }]("[('A', '<i4'), ('B', '<i4')]"), "X",
			`npy: dtype [('A', '<i4'), ('B', '<i4')] of field X and Go type int32 do not fit: Go field X needs a field of that name, the dtype has ["A" "B"]`},
		{"ambiguous case", compile[struct{ Ab int32 }]("[('AB', '<i4'), ('ab', '<i4')]"), "Ab",
			`npy: dtype [('AB', '<i4'), ('ab', '<i4')] of field Ab and Go type int32 do not fit: Go field Ab needs a field of that name, the dtype has ["AB" "ab"]`},
		{"two for one", compile[struct {
			A, B int32 `npy:""`
		}]("[('A', '<i4'), ('B', '<i4')]"), "", ""},
		{"two by case", compile[struct {
			A int32
			B int32 `npy:"a"`
		}]("[('A', '<i4')]"), "A",
			"npy: dtype <i4 of field A and Go type int32 do not fit: Go fields A and B both belong to it"},
		{"strict", compile[empty]("[('A', '<i4')]", true), "A",
			"npy: dtype <i4 of field A and Go type record_test.empty do not fit: the Go struct has no field for it"},
		{"dims", compile[struct{ A [3][2]int32 }]("[('A', '<i4', (2, 3))]"), "A",
			"npy: dtype ('<i4', (2, 3)) of field A and Go type [3][2]int32 do not fit: Go field A needs arrays of the dimensions [2 3]"},
		{"flattened", compile[struct{ A [6]int32 }]("[('A', '<i4', (2, 3))]"), "A",
			"npy: dtype ('<i4', (2, 3)) of field A and Go type [6]int32 do not fit: Go field A needs arrays of the dimensions [2 3]"},
		{"no array", compile[struct{ A int32 }]("[('A', '<i4', (2,))]"), "A",
			"npy: dtype ('<i4', (2,)) of field A and Go type int32 do not fit: Go field A needs arrays of the dimensions [2]"},
		{"no subarray", compile[struct{ A [4]uint8 }]("[('A', '|S4')]"), "A",
			"npy: dtype |S4 of field A and Go type [4]uint8 do not fit: Go field A is an array, the field is not a subarray"},
		{"no struct", compile[struct{ A emb }]("[('A', '<i4')]"), "A",
			"npy: dtype <i4 of field A and Go type record_test.emb do not fit: Go field A is a struct, the field is not"},
		{"struct", compile[struct{ A int32 }]("[('A', [('B', '<i4')])]"), "A",
			"npy: dtype [('B', '<i4')] of field A and Go type int32 do not fit: the field is a struct, Go field A is not"},
		{"plain array", compile[emb]("<i4"), "",
			"npy: dtype <i4 and Go type record_test.emb do not fit: the array has no fields; use npy.Load or npy.As"},
		{"plain Go", compile[int32]("[('A', '<i4')]"), "",
			"npy: dtype [('A', '<i4')] and Go type int32 do not fit: records need a struct or array type; package npy reads elements of other types"},
		{"map", compile[struct{ A map[string]int }]("[('A', '<i4')]"), "A",
			"npy: dtype <i4 of field A and Go type map[string]int do not fit: Go field A: map is not data of a fixed size"},
		{"pointer", compile[struct{ A *int32 }]("[('A', '<i4')]"), "A",
			"npy: dtype <i4 of field A and Go type *int32 do not fit: Go field A: a pointer is not data: use a value"},
		{"slice", derive[struct{ A []int32 }](), "A",
			"npy: no dtype of field A for Go type []int32: the length of a slice is not part of its type: use an array"},
		{"interface", derive[struct{ A any }](), "A", "npy: no dtype of field A for Go type interface {}: interface is not data of a fixed size"},
		{"func", derive[struct{ A func() }](), "A", "npy: no dtype of field A for Go type func(): func is not data of a fixed size"},
		{"no length", derive[struct{ A string }](), "A", "npy: no dtype of field A for Go type string: say the length: ,U8 after the name in the tag"},
		{"no step", derive[struct{ A time.Time }](), "A", "npy: no dtype of field A for Go type time.Time: say the step: ,M8[us] after the name in the tag"},
		{"duplicate", derive[struct {
			A int32
			B int32 `npy:"A"`
		}](), "A", "npy: no dtype of field A for Go type struct { A int32; B int32 \"npy:\\\"A\\\"\" }: Go fields A and B have the same name"},
		{"embedded duplicate", derive[struct {
			emb
			A int32
		}](), "A", "npy: no dtype of field A for Go type struct { record_test.emb; A int32 }: Go fields emb.A and A have the same name"},
		{"not exported", derive[struct {
			a int32 `npy:"a"` //lint:ignore U1000 its tag is what the test is about
		}](), "a", "npy: no dtype of field a for Go type int32: Go field a has a tag and is not exported"},
		{"wrong descr", derive[struct {
			A float32 `npy:"A,f8"`
		}](), "A", "npy: dtype <f8 of field A and Go type float32 do not fit: values could change in Go field A; it can be float64 or complex128, or allow the change with Casting: npy.SameKindCasting"},
		{"wide for the descr", derive[struct {
			A int64 `npy:"A,i4"`
		}](), "A", "npy: dtype <i4 of field A and Go type int64 do not fit: Go field A can read it and not write it: the Go type holds more, unlike int32"},
		{"string as bytes", derive[struct {
			A string `npy:"A,S8"`
		}](), "A", "npy: dtype |S8 of field A and Go type string do not fit: Go field A can read it and not write it: the Go type holds more, unlike []uint8"},
		{"no length in the tag", derive[struct {
			A string `npy:"a,U"`
		}](), "a", "npy: dtype <U0 of field a and Go type string do not fit: the tag says no length: U8, not U"},
		{"length beyond all", derive[struct {
			A string `npy:"a,U99999999999"`
		}](), "A", ""},
		{"not closed", derive[struct {
			A string `npy:"'a,U8"`
		}](), "A", "npy: no dtype of field A for Go type string: tag of Go field A: quotes or brackets are not closed"},
		{"nothing exported", derive[struct{ a int32 }](), "", "npy: no dtype for Go type struct { a int32 }: none of its fields is exported"}, //lint:ignore U1000 it is what the test is about
		{"nothing exported inside", compile[struct{ A struct{ b int32 } }]("[('A', [('b', '<i4')])]"), "A", //lint:ignore U1000 likewise
			"npy: no dtype of field A for Go type struct { b int32 }: none of its fields is exported"},
		{"too large", derive[struct {
			A [1 << 13][1 << 13]string `npy:"A,<U8"`
		}](), "A",
			"npy: dtype <U8 of field A and Go type [8192][8192]string do not fit: dtype: subarray is larger than 2147483647 bytes"},
		{"recursive", derive[recursive](), "B.Next", "npy: no dtype of field B.Next for Go type *record_test.recursive: a pointer is not data: use a value"},
		{"uintptr", derive[struct{ A uintptr }](), "A", "npy: no dtype of field A for Go type uintptr: uintptr is not data of a fixed size"},
		{"time of a number", compile[struct{ A time.Time }]("[('a', '<f4')]"), "a",
			"npy: dtype <f4 of field a and Go type time.Time do not fit: values could change in Go field A; it can be float32 or float64 or complex64 or complex128"},
		{"number of a time", compile[struct{ A int64 }]("[('a', '<M8[s]')]"), "a",
			"npy: dtype <M8[s] of field a and Go type int64 do not fit: values could change in Go field A; it can be scalar.Datetime64 or time.Time, or allow the change with Casting: npy.UnsafeCasting"},
		{"time without a unit", compile[struct{ A time.Time }]("[('a', '<M8')]"), "a",
			"npy: dtype <M8 of field a and Go type time.Time do not fit: values could change in Go field A; it can be scalar.Datetime64"},
		{"duration of months", compile[struct{ A time.Duration }]("[('a', '<m8[M]')]"), "a",
			"npy: dtype <m8[M] of field a and Go type time.Duration do not fit: values could change in Go field A; it can be scalar.Timedelta64"},
		{"bad descr", derive[struct {
			A int32 `npy:"A,i3"`
		}](), "A", ""},
		{"bad option", derive[struct {
			A int32 `npy:"A,i4,omitempty"`
		}](), "A", `npy: no dtype of field A for Go type int32: tag of Go field A: option "omitempty" is not known, want name,descr,title=…`},
		{"descr dims", derive[struct {
			A [2]int32 `npy:"A,(3,)i4"`
		}](), "A", "npy: dtype ('<i4', (3,)) of field A and Go type [2]int32 do not fit: the dimensions in Go are [2]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.do(t)
			if c.path == "" && c.text == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var te *npy.TypeError
			if !errors.As(err, &te) {
				t.Fatalf("got %v, want a TypeError", err)
			}
			if te.Path != c.path || te.GoType == nil || c.text != "" && err.Error() != c.text && err.Error() != inNativeOrder(c.text) {
				t.Errorf("got path %q, text\n%s\nwant path %q,\n%s", te.Path, err, c.path, c.text)
			}
		})
	}
}

func TestObjectsAreRefused(t *testing.T) {
	if err := compile[struct{ A int32 }]("[('A', '<i4'), ('B', '|O')]")(t); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("got %v, want ErrObjects", err)
	}
}

// The error for a value that does not fit names its record, wherever in the blocks it is.
func TestValueErrors(t *testing.T) {
	type when struct {
		T time.Time `npy:"t,M8[s]"`
		S string    `npy:"s,U2"`
	}
	for _, at := range []int{0, 1023, 1024, 2999} {
		good := make([]when, 3000)
		for i := range good {
			good[i].T = time.Unix(int64(i), 0)
		}
		long, fine := good[at], good[at]
		long.S, fine.T = "abc", fine.T.Add(1)
		for path, bad := range map[string]when{"s": long, "t": fine} {
			good[at], bad = bad, good[at]
			err := record.SaveTo(&bytes.Buffer{}, good)
			var ve *record.ValueError
			if !errors.As(err, &ve) || ve.Record != at || ve.Path != path {
				t.Errorf("record %d, field %s: got %v", at, path, err)
			}
			good[at] = bad
		}
		type ticks struct {
			T scalar.Datetime64 `npy:"t,M8[s]"`
			S string            `npy:"s,U2"`
		}
		raw := make([]ticks, 3000)
		raw[at].T = scalar.Datetime64{Ticks: scalar.NaT}
		var out bytes.Buffer
		if err := record.SaveTo(&out, raw); err != nil {
			t.Fatal(err)
		}
		_, _, err := record.LoadFrom[when](&out)
		var ve *record.ValueError
		if !errors.As(err, &ve) || ve.Record != at || ve.Path != "t" || !errors.Is(err, scalar.ErrNaT) {
			t.Errorf("NaT in record %d: got %v", at, err)
		}
	}
}

// The error for a value that does not fit is one line that names both types, and wraps the reason.
func TestValueErrorTexts(t *testing.T) {
	type times struct {
		T time.Time     `npy:"t,<M8[ns]"`
		D time.Duration `npy:"d,<m8[ns]"`
	}
	type texts struct {
		S  string `npy:"s,<U3"`
		B  []byte `npy:"b,S2"`
		In struct {
			V [2][]byte `npy:"v,V1"`
		} `npy:"in"`
	}
	good := texts{}
	good.In.V = [2][]byte{{1}, {2}}
	change := func(f func(*texts)) error {
		bad := good
		f(&bad)
		return record.SaveTo(&bytes.Buffer{}, []texts{good, bad})
	}
	read := func(descr string, items string, of func(*npy.Array) error) error {
		a, err := npy.FromBytes(parse(t, descr), []byte(items), 2)
		if err != nil {
			t.Fatal(err)
		}
		return of(a)
	}
	asTime := func(a *npy.Array) error { _, err := record.ToSlice[struct{ T time.Time }](a); return err }
	asDuration := func(a *npy.Array) error { _, err := record.ToSlice[struct{ D time.Duration }](a); return err }
	asText := func(a *npy.Array) error { _, err := record.ToSlice[struct{ S string }](a); return err }
	zeros := strings.Repeat("\x00", 8)
	for _, c := range []struct {
		name string
		err  error
		is   error
		text string
	}{
		{"the zero time", record.SaveTo(&bytes.Buffer{}, []times{{T: time.Unix(0, 0)}, {}}), scalar.ErrRange,
			"record: field t (<M8[ns]) of record 1 and Go field T (time.Time): scalar: cannot convert time.Time 0001-01-01 00:00:00 +0000 UTC to datetime64[ns]: value out of range"},
		{"the duration that is NaT", record.SaveTo(&bytes.Buffer{}, []times{{T: time.Unix(0, 0)}, {T: time.Unix(0, 0), D: -1 << 63}}), scalar.ErrNaT,
			"record: field d (<m8[ns]) of record 1 and Go field D (time.Duration): scalar: cannot convert time.Duration -2562047h47m16.854775808s to timedelta64[ns]: not a time"},
		{"long string", change(func(x *texts) { x.S = "abcd" }), nil, "record: field s (<U3) of record 1 and Go field S (string): scalar: string of 4 code points does not fit U3"},
		{"not UTF-8", change(func(x *texts) { x.S = "\xff" }), scalar.ErrUTF8, `record: field s (<U3) of record 1 and Go field S (string): scalar: cannot read "\xff" as U: invalid UTF-8`},
		{"NUL at the end", change(func(x *texts) { x.B = []byte{0} }), nil,
			"record: field b (|S2) of record 1 and Go field B ([]uint8): NumPy drops NULs at the end of strings and bytes, so the value would change; use dtype.Void for binary data"},
		{"short void", change(func(x *texts) { x.In.V[1] = nil }), nil, "record: field in.v (|V1) of record 1 and Go field In.V ([]uint8): npy: element 1: 0 bytes given for dtype |V1"},
		{"NaT", read("[('t', '<M8[D]')]", zeros+"\x00\x00\x00\x00\x00\x00\x00\x80", asTime), scalar.ErrNaT,
			"record: field t (<M8[D]) of record 1 and Go field T (time.Time): scalar: cannot convert datetime64[D] NaT to time.Time: not a time"},
		{"a year too far", read("[('t', '<M8[Y]')]", zeros+"\x00\x00\x00\x00\x00\x00\x00\x40", asTime), scalar.ErrRange,
			"record: field t (<M8[Y]) of record 1 and Go field T (time.Time): scalar: cannot convert datetime64[Y] 4611686018427389874 to time.Time: value out of range"},
		{"finer than a nanosecond", read("[('t', '<M8[as]')]", zeros+"\x01\x00\x00\x00\x00\x00\x00\x00", asTime), scalar.ErrInexact,
			"record: field t (<M8[as]) of record 1 and Go field T (time.Time): scalar: cannot convert datetime64[as] 1970-01-01T00:00:00.000000000000000001 to time.Time: value is not a whole number of ticks"},
		{"a long duration", read("[('d', '<m8[s]')]", zeros+"\x00\x00\x00\x00\x00\x00\x00\x10", asDuration), scalar.ErrRange,
			"record: field d (<m8[s]) of record 1 and Go field D (time.Duration): scalar: cannot convert timedelta64[s] 1152921504606846976 seconds to time.Duration: value out of range"},
		{"no code point", read("[('s', '<U1')]", "a\x00\x00\x00\x00\x00\x11\x00", asText), nil,
			"record: field s (<U1) of record 1 and Go field S (string): scalar: character 0 is 0x110000, above the last code point 0x10ffff"},
	} {
		var ve *record.ValueError
		if !errors.As(c.err, &ve) || ve.Record != 1 || c.is != nil && !errors.Is(c.err, c.is) {
			t.Errorf("%s: got %v, want a ValueError of record 1 that wraps %v", c.name, c.err, c.is)
			continue
		}
		if c.err.Error() != c.text || ve.GoType == nil || !ve.DType.IsValid() || !strings.Contains(c.text, ve.GoPath) {
			t.Errorf("%s: got\n%v\nwant\n%s", c.name, c.err, c.text)
		}
	}
}

// The error for a path that does not exist has the whole path.
func TestColumnErrors(t *testing.T) {
	a, err := npy.New(parse(t, "[('o', [('i', '<i4')])]"), 2)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"x": `npy: no field "x", want one of ["o"]`, "": `npy: no field "", want one of ["o"]`,
		"o.z": `npy: no field "o.z", want one of ["i"]`, "o.i.z": `npy: no field "o.i.z": dtype <i4 has no fields`,
	} {
		_, err := record.Field[float32](a, path)
		var fe *npy.FieldError
		if !errors.As(err, &fe) || fe.Path != path || err.Error() != inNativeOrder(want) && err.Error() != want {
			t.Errorf("Column %q: got %v, want a FieldError: %s", path, err, want)
		}
	}
	_, err = record.Field[float32](a, "o.i")
	var te *npy.TypeError
	if !errors.As(err, &te) || te.Path != "o.i" {
		t.Errorf("Column o.i as float32: got %v, want a TypeError with the path", err)
	}
}

func TestLengths(t *testing.T) {
	type one struct{ A int16 }
	p, err := record.Compile[one](parse(t, "[('A', '>i2')]"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Decode(make([]one, 2), make([]byte, 3)); err == nil {
		t.Error("Decode of 3 bytes for 2 records of 2 succeeded")
	}
	if err := p.Encode(make([]byte, 5), make([]one, 2)); err == nil {
		t.Error("Encode of 2 records of 2 bytes to 5 succeeded")
	}
	if _, err := record.FromSlice(make([]one, 5), 2, 3); err == nil {
		t.Error("an array of shape (2, 3) was made of 5 records")
	}
	a, err := npy.New(parse(t, "[('A', '|S0')]"), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.ToSlice[struct{ A string }](a); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("2**30 records of 0 bytes: got %v, want ErrLimit", err)
	}
}

// inNativeOrder returns the text of a dtype, written for little-endian machines, in the byte order of this machine.
func inNativeOrder(text string) string {
	return strings.ReplaceAll(text, "<", dtype.NativeEndian.String())
}
