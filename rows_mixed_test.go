package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
)

// readMixed reads all rows by calls in random order. Loops are left at random places.
func readMixed[T npy.Element](random *rand.Rand, r *npy.RowReader[T]) ([]T, error) {
	all := []T{}
	for {
		left := random.IntN(4) // rows that a loop reads before it is left
		switch random.IntN(3) {
		case 0:
			dst := make([]T, (1+random.IntN(1<<random.IntN(14)))*r.RowLen()+random.IntN(2))
			n, err := r.Next(dst)
			if err != nil {
				return all, err
			}
			all = append(all, dst[:n*r.RowLen()]...)
		case 1:
			for row, err := range r.Rows() {
				if err != nil {
					return all, err
				}
				all = append(all, row...)
				if left--; left < 0 {
					break
				}
			}
		case 2:
			for block, err := range r.Blocks(1 + random.IntN(5000)) {
				if err != nil {
					return all, err
				}
				all = append(all, block...)
				if left--; left < 0 {
					break
				}
			}
		}
	}
}

// Any mixture of Next, Rows and Blocks, with loops that are left anywhere, reads all elements once and in order, and
// then the next array.
func TestRowsMixed(t *testing.T) {
	for _, shape := range [][]int{{40_000}, {9_000, 3}, {5, 3_000, 2}, {3, 30_000}, {0, 3}, {3, 0}, {}} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			data := rowsOf(t, shape...)
			for _, source := range readers {
				for seed := range uint64(8) {
					random := rand.New(rand.NewPCG(seed, 1))
					mixedEqualsLoad[float64](t, random, source.open(t, slices.Concat(data, data)), data)
				}
			}
			values := must(npy.As[float64](must(npy.Read(bytes.NewReader(data))))).ToSlice()
			texts := make([]string, len(values))
			ints := make([]int32, len(values))
			for i, x := range values {
				texts[i], ints[i] = fmt.Sprint(int(x)), int32(x)
			}
			random := rand.New(rand.NewPCG(9, 1))
			for _, a := range []*npy.Array{must(npy.FromSliceAs(parse(">f8"), values, shape...)), must(npy.FromSlice(ints, shape...))} {
				other := npyOf(t, a)
				mixedEqualsLoad[float64](t, random, bytes.NewReader(slices.Concat(other, other)), other)
			}
			other := npyOf(t, must(npy.FromSliceAs(parse("<U6"), texts, shape...)))
			mixedEqualsLoad[string](t, random, struct{ io.Reader }{bytes.NewReader(slices.Concat(other, other))}, other)
		})
	}
}

// npyOf returns the bytes of an .npy file.
func npyOf(t *testing.T, a *npy.Array) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := npy.Write(&file, a); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// mixedEqualsLoad reads two arrays from r and compares each with data.
func mixedEqualsLoad[T interface {
	npy.Element
	comparable
}](t *testing.T, random *rand.Rand, r io.Reader, data []byte) {
	t.Helper()
	want, _, err := npy.LoadFrom[T](bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		rows := must(npy.NewRowReader[T](r))
		got, err := readMixed(random, rows)
		if err != io.EOF || !slices.Equal(got, want) {
			t.Fatalf("%d elements, error %v, want %d and io.EOF, or they are others", len(got), err, len(want))
		}
	}
	if _, err := npy.NewRowReader[T](r); err != io.EOF {
		t.Errorf("after the last array: %v, want io.EOF", err)
	}
}

// The rows read from a truncated array are its beginning, and the error stays.
func TestRowsMixedCutShort(t *testing.T) {
	data := rowsOf(t, 20_000, 2)
	want, _, err := npy.LoadFrom[float64](bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 2))
		short := data[:len(data)-1-random.IntN(len(data)-200)]
		r := must(npy.NewRowReader[float64](struct{ io.Reader }{bytes.NewReader(short)}))
		got, err := readMixed(random, r)
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(got) >= len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("seed %d: %d elements of %d bytes, or others, error %v", seed, len(got), len(short), err)
		}
		if n, again := r.Next(make([]float64, 2)); n != 0 || fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("seed %d: after %q: %d rows, %v", seed, err, n, again)
		}
	}
}

// The rows that a loop read ahead come before the following error.
func TestRowsAheadBeforeError(t *testing.T) {
	data := rowsOf(t, 20_000)
	short := data[:len(data)-8]
	r := must(npy.NewRowReader[float64](struct{ io.Reader }{bytes.NewReader(short)}))
	for range r.Rows() {
		break
	}
	n, err := r.Next(make([]float64, 20_000))
	if n == 0 || n >= 19_999 || err != nil {
		t.Errorf("%d rows, %v, want those that were read ahead", n, err)
	}
	if n, err := r.Next(make([]float64, 20_000)); n != 0 || err == nil || !strings.Contains(err.Error(), "byte") {
		t.Errorf("then %d rows, %v, want an error that says where", n, err)
	}
}
