package pickle

import (
	"bytes"
	"errors"
	"io"
	"math/big"
	"strings"
	"testing"
)

// A point has a type that only a Reduce hook knows.
type point struct {
	x    int64
	next any
}

// reducePoint returns the call mod.Point.__new__(mod.Point, x), with next as the state.
func reducePoint(v any) (*Object, error) {
	p, ok := v.(*point)
	if !ok {
		return nil, nil
	}
	if p.x < 0 {
		return nil, errors.New("negative")
	}
	return &Object{
		Class: &Global{Module: "mod", Name: "Point"}, How: NewObj,
		Args: &Tuple{Items: []any{p.x}}, State: p.next, HasState: p.next != nil,
	}, nil
}

func TestEncodeErrors(t *testing.T) {
	loop := &Tuple{}
	loop.Items = []any{loop}
	wide := &Tuple{}
	for range 200 {
		wide.Items = append(wide.Items, &List{Items: []any{wide}})
	}
	dict := &Dict{}
	if err := dict.Set("it's", &List{Items: []any{nil, struct{}{}}}); err != nil {
		t.Fatal(err)
	}
	list := func(v any) *List { return &List{Items: []any{int64(1), v}} }
	var noList *List
	for _, test := range []struct {
		name     string
		protocol int
		value    any
		want     string
	}{
		{"unknown type", 0, struct{}{}, "pickle: cannot write struct {}: package pickle does not know its type, nor does Encoder.Reduce"},
		{"in a dict", 0, list(dict), `pickle: cannot write struct {} at [1]["it's"][1]: package pickle does not know its type`},
		{"in a state", 0, &point{1, list(struct{}{})}, "pickle: cannot write struct {} at .state[1]: package pickle does not know its type"},
		{"in arguments", 0, &Object{Class: &Global{Module: "m", Name: "f"}, Args: &Tuple{Items: []any{0, make(chan int)}}}, "pickle: cannot write chan int at .args[1]: package pickle does not know its type"},
		{"in a set", 2, &Set{Dict{pairs: []Pair{{struct{}{}, nil}}}}, "pickle: cannot write struct {} at .args[0][0]: package pickle does not know its type"},
		{"a key", 0, &Dict{pairs: []Pair{{struct{}{}, nil}}}, "pickle: cannot write struct {} at {0}: package pickle does not know its type"},
		{"refused by the hook", 0, list(&point{-1, nil}), "pickle: cannot write *pickle.point at [1]: negative"},
		{"not UTF-8", 0, list("a\xff"), "pickle: cannot write string at [1]: it is not UTF-8: use []byte for Python bytes"},
		{"nil pointer", 0, list(noList), "pickle: cannot write *pickle.List at [1]: the pointer is nil"},
		{"nil int", 0, list((*big.Int)(nil)), "pickle: cannot write *big.Int at [1]: the pointer is nil"},
		{"no date", 0, &Date{2021, 2, 29, nil}, "pickle: cannot write *pickle.Date: no such date or time in Python"},
		{"no datetime", 0, &Datetime{Year: 70000, Month: 1, Day: 1}, "pickle: cannot write *pickle.Datetime: no such date or time in Python"},
		{"no time", 0, &Time{Hour: 24}, "pickle: cannot write *pickle.Time: no such date or time in Python"},
		{"no fraction", 0, &Fraction{Num: big.NewInt(1), Den: big.NewInt(0)}, "pickle: cannot write *pickle.Fraction: its denominator is not positive"},
		{"a tuple in itself", 0, loop, "it contains itself over and over"},
		{"a tuple in itself 200 times", 0, wide, "it contains itself over and over"},
		{"a name of two lines", 3, &Global{Module: "os\nsystem\n", Name: "x"}, "pickle: cannot write *pickle.Global: its name cannot be a line of text: set Encoder.Protocol to 4 or more"},
		{"a name not ASCII", 2, &Global{Module: "mod", Name: "é"}, "pickle: cannot write *pickle.Global: its name is not ASCII: set Encoder.Protocol to 3 or more"},
		{"no such protocol", 6, nil, "pickle: protocol 6 cannot be written: set Encoder.Protocol to 1, 2, 3, 4, 5 or Protocol0"},
		{"protocol -2", -2, nil, "pickle: protocol -2 cannot be written"},
		{"an old-style instance without a name", Protocol0, &Object{Class: &Object{}, How: Instance}, "its class has no name: set Encoder.Protocol to 1 or more"},
	} {
		e := Encoder{Protocol: test.protocol, Reduce: reducePoint}
		got, err := e.Append([]byte("before"), test.value)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") || string(got) != "before" {
			t.Errorf("%s: %q, %v, want an error with %s", test.name, got, err, test.want)
		}
		var located *EncodeError
		if !errors.As(err, &located) && test.protocol != 6 && test.protocol != -2 {
			t.Errorf("%s: %T is not an *EncodeError", test.name, err)
		}
	}
}

// A value that a hook reduces is shared and may contain itself, like any object of Python.
func TestEncodeReduce(t *testing.T) {
	p := &point{x: 1}
	p.next = &List{Items: []any{p, &point{x: 2}}}
	e := Encoder{Reduce: reducePoint}
	data, err := e.Append(nil, &List{Items: []any{p, p}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	items := v.(*List).Items
	first := items[0].(*Object)
	inside := first.State.(*List).Items
	if items[1] != first || inside[0] != first || inside[1] == first || !inside[1].(*Object).Class.(*Global).Is("mod", "Point") {
		t.Errorf("what was written is read as %v", v)
	}
}

type failingWriter struct{ after int }

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.after -= len(b); w.after < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

// An error of the writer ends the writing, wherever it occurs.
func TestEncodeToFailingWriter(t *testing.T) {
	l := &List{}
	for range 50_000 {
		l.Items = append(l.Items, int64(1)<<40, bytes.Repeat([]byte("x"), 20))
	}
	l.Items = append(l.Items, strings.Repeat("y", 100_000))
	var whole bytes.Buffer
	for _, protocol := range []int{3, 4} {
		e := Encoder{Protocol: protocol}
		whole.Reset()
		if err := e.Encode(&whole, l); err != nil {
			t.Fatal(err)
		}
		for after := 0; after < whole.Len(); after += 60_000 {
			if err := e.Encode(&failingWriter{after}, l); err != io.ErrShortWrite {
				t.Errorf("protocol %d: Encode to a writer that fails after %d bytes: %v", protocol, after, err)
			}
		}
	}
}

// A second round of decoding and encoding leaves an encoded pickle unchanged.
func FuzzRoundTrip(f *testing.F) {
	for _, test := range madeHere() {
		for _, protocol := range []int{Protocol0, 1, 2, 3, 4, 5} {
			if data, err := (&Encoder{Protocol: protocol}).Append(nil, test.value); err == nil && len(data) < 1000 {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Decode(data)
		if err != nil {
			return
		}
		Repr(v)
		for _, protocol := range []int{Protocol0, 1, 2, 3, 4, 5} {
			e := Encoder{Protocol: protocol}
			first, err := e.Append(nil, v)
			if err != nil {
				continue
			}
			again, err := Decode(first)
			if err != nil {
				t.Fatalf("protocol %d: %v\n%q\nwritten of %q", protocol, err, first, data)
			}
			second, err := e.Append(nil, again)
			if err != nil {
				t.Fatalf("protocol %d: %v\n%q\nwritten of %q", protocol, err, first, data)
			}
			last, err := Decode(second)
			if err != nil {
				t.Fatal(err)
			}
			if third, err := e.Append(nil, last); err != nil || !bytes.Equal(second, third) {
				t.Fatalf("protocol %d: %v\n%q became\n%q became\n%q", protocol, err, first, second, third)
			}
		}
	})
}
