package bulk

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
)

type moved struct {
	A int8
	B [3]struct {
		C uint16
		D [2]float64
	}
	E complex64
	F string
	G [2][2]uint8
	H int32
}

func numberPlaces() map[string]Place {
	t := PlaceIn(reflect.TypeFor[moved]())
	return map[string]Place{
		"A": t.Field(0), "B.C": t.Field(1).Elems().Field(0), "B.D": t.Field(1).Elems().Field(1).Elems(),
		"E": t.Field(2), "G": t.Field(4).Elems().Elems(), "H": t.Field(5),
	}
}

func TestPlace(t *testing.T) {
	p := numberPlaces()["B.D"]
	var m moved
	if want := reflect.TypeOf(m).Field(1).Offset; p.Offset() < int(want) || p.Count() != 6 || p.Type().Kind() != reflect.Float64 {
		t.Errorf("place of B.D: offset %d, count %d, type %v", p.Offset(), p.Count(), p.Type())
	}
	if fmt.Sprint(p.Dims()) != "[3 2]" || p.Strides()[1] != 8 {
		t.Errorf("place of B.D: dims %v, strides %v", p.Dims(), p.Strides())
	}
}

// scatterBoth runs Scatter and Gather against the plain ones.
func scatterBoth[E comparable](t *testing.T, at Place, values []E, n int) {
	t.Helper()
	fast, plain := make([]moved, n+2), make([]moved, n+2)
	Scatter(reflect.ValueOf(fast), 1, n, at, values)
	scatterPlain(reflect.ValueOf(plain), 1, n, at, values)
	if !reflect.DeepEqual(fast, plain) {
		t.Fatalf("Scatter of %v:\ngot  %v\nwant %v", values, fast, plain)
	}
	got, want := make([]E, len(values)), make([]E, len(values))
	Gather(got, reflect.ValueOf(fast), 1, n, at)
	gatherPlain(want, reflect.ValueOf(fast), 1, n, at)
	for i := range values {
		if got[i] != values[i] || want[i] != values[i] {
			t.Fatalf("Gather: got %v and %v, want %v", got, want, values)
		}
	}
}

func FuzzScatter(f *testing.F) {
	f.Add(uint8(3), uint8(1), "text")
	f.Fuzz(func(t *testing.T, count, seed uint8, text string) {
		n := int(count % 20)
		places := numberPlaces()
		ints := make([]uint16, 3*n)
		floats := make([]float64, 6*n)
		strs := make([]string, n)
		for i := range floats {
			floats[i] = float64(int(seed) * i)
		}
		for i := range ints {
			ints[i] = uint16(int(seed) * i)
		}
		for i := range strs {
			strs[i] = text[:min(i, len(text))]
		}
		scatterBoth(t, places["B.C"], ints, n)
		scatterBoth(t, places["B.D"], floats, n)
		scatterBoth(t, PlaceIn(reflect.TypeFor[moved]()).Field(3), strs, n)
	})
}

// loadPlain defines Moves.Load: numbers one by one, through package reflect.
func loadPlain(s reflect.Value, first, n int, at Place, records []byte, record, start int, strides []int, swap bool) {
	for i := range n {
		offsets := []int{start}
		for k, dim := range at.Dims() {
			var next []int
			for _, o := range offsets {
				for j := range dim {
					next = append(next, o+j*strides[k])
				}
			}
			offsets = next
		}
		k := 0
		walk(s.Index(first+i), at.path, func(v reflect.Value) {
			b := records[i*record+offsets[k]:][:v.Type().Size()]
			k++
			switch p := v.Addr().Interface().(type) {
			case *int8:
				Decode([]int8{0}, b, swap)
				*p = int8(b[0])
			case *uint8:
				*p = b[0]
			case *uint16:
				x := []uint16{0}
				decodePlain(x, b, byteOrder(swap))
				*p = x[0]
			case *int32:
				x := []int32{0}
				decodePlain(x, b, byteOrder(swap))
				*p = x[0]
			case *float64:
				x := []float64{0}
				decodePlain(x, b, byteOrder(swap))
				*p = x[0]
			case *complex64:
				x := []complex64{0}
				decodePlain(x, b, byteOrder(swap))
				*p = x[0]
			}
		})
	}
}

func FuzzMoves(f *testing.F) {
	f.Add(uint8(3), uint8(1), uint8(2), false, []byte{1, 2, 3})
	f.Add(uint8(1), uint8(0), uint8(0), true, []byte{9})
	f.Add(uint8(40), uint8(0), uint8(0), true, []byte{1, 0, 7, 5})
	f.Fuzz(func(t *testing.T, count, gap, start uint8, swap bool, seed []byte) {
		if !Shares {
			t.Skip("without unsafe there are no Moves")
		}
		n := int(count % 50)
		for name, at := range numberPlaces() {
			size := int(at.Type().Size())
			end, strides := size, make([]int, len(at.Dims()))
			for i := len(strides) - 1; i >= 0; i-- {
				strides[i] = end + int(gap%4)
				end = strides[i]*(at.Dims()[i]-1) + end
			}
			record := int(start%16) + end + int(gap%5)
			m, _ := NewMoves(at, record, int(start%16), strides, swap)
			records := bytesFrom(n*record, int(gap%3), seed)
			for i := range records {
				records[i] &= 0x3f // no NaN: DeepEqual knows none
			}
			got, want := make([]moved, n+2), make([]moved, n+2)
			m.Load(reflect.ValueOf(got), 1, n, records)
			loadPlain(reflect.ValueOf(want), 1, n, at, records, record, int(start%16), strides, swap)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, swap %v, record %d, strides %v:\ngot  %v\nwant %v", name, swap, record, strides, got, want)
			}
			back := bytes.Repeat([]byte{0xee}, len(records))
			m.Store(back, reflect.ValueOf(got), 1, n)
			again := make([]moved, n+2)
			m.Load(reflect.ValueOf(again), 1, n, back)
			if !reflect.DeepEqual(again, want) {
				t.Fatalf("%s, swap %v: stored % x, want the numbers of % x", name, swap, back, records)
			}
			if got, want := bytes.Count(back, []byte{0xee}), len(back)-n*at.Count()*size; got != want {
				t.Fatalf("%s: Store left %d bytes alone, want %d", name, got, want)
			}
		}
	})
}

func TestPlacesAreChecked(t *testing.T) {
	h := numberPlaces()["H"]
	s := reflect.ValueOf(make([]moved, 3))
	cases := map[string]func(){
		"range":       func() { Scatter(s, 2, 2, h, make([]int32, 2)) },
		"count":       func() { Scatter(s, 0, 2, h, make([]int32, 1)) },
		"type":        func() { Scatter(s, 0, 1, h, make([]uint32, 1)) },
		"other slice": func() { Scatter(reflect.ValueOf(make([]int32, 3)), 0, 1, h, make([]int32, 1)) },
	}
	if Shares {
		cases["record"] = func() { NewMoves(h, 8, 5, nil, false) }
		cases["start"] = func() { NewMoves(h, 8, -1, nil, false) }
		cases["stride"] = func() { NewMoves(numberPlaces()["G"], 8, 0, []int{8, 1}, false) }
		cases["back"] = func() { NewMoves(numberPlaces()["G"], 8, 4, []int{-2, 1}, false) }
		cases["string"] = func() { NewMoves(PlaceIn(reflect.TypeFor[moved]()).Field(3), 99, 0, nil, false) }
		cases["bytes"] = func() {
			m, _ := NewMoves(h, 8, 0, nil, false)
			m.Load(s, 0, 3, make([]byte, 23))
		}
	}
	for name, f := range cases {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("what does not fit did not panic")
				}
			}()
			f()
		})
	}
}
