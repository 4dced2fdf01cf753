package answer_test

import (
	"errors"
	"net/url"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/view/internal/answer"
)

// Every question that the page asks about an array has an answer for every dtype, with values, without, and with the values that are
// missing or the largest.
func TestEveryDType(t *testing.T) {
	asked := 0
	for _, text := range []string{
		"?", "i1", "<i4", "i8", "u1", "u8", "f2", "f4", "f8", "g", "c8", "c16", "G", "U3", "S3", "V3",
		"M8[D]", "M8[s]", "M8[us]", "M8[ns]", "M8[25s]", "M8[Y]", "M8[M]", "M8[W]", "M8[as]", "M8", "m8[D]", "m8[s]", "m8[ns]", "m8[as]", "m8", "m8[Y]", ">M8[s]", ">f8",
		"f8,i4", "M8[s],f4",
	} {
		d, err := dtype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for name, fill := range map[string]func(i int) byte{
			"zeros": func(int) byte { return 0 }, "ones": func(int) byte { return 255 }, "count": func(i int) byte { return byte(i) }, "large": func(i int) byte { return []byte{0, 0x80, 0xff, 0x7f}[i%4] }, "missing": func(i int) byte { return []byte{0, 0, 0, 0, 0, 0, 0, 0x80}[i%8] },
		} {
			for _, shape := range [][]int{{3, 4}, {0, 4}, {12}, {}} {
				a, err := npy.New(d, shape...)
				if err != nil {
					t.Fatal(err)
				}
				if data := a.Bytes(); d.Kind() != dtype.KindBool && d.Kind() != dtype.KindStr {
					for i := range data {
						data[i] = fill(i)
					}
				}
				answers := answer.New([]answer.Input{input("a.npy", a)})
				axes := []string{"", "x", "y,x"}[len(shape)]
				for _, question := range []string{"numbers", "picture", "line", "cells", "array", "code"} {
					for _, query := range []string{"e=0&all=1", "e=0&at=" + axes} {
						q, err := url.ParseQuery(query)
						if err != nil {
							t.Fatal(err)
						}
						err = answers.Answer(t.Context(), question, q, &paper{})
						if wrong := new(answer.Error); err != nil && (!errors.As(err, &wrong) || wrong.Status >= 500) {
							t.Errorf("%s of %s, %v: %s?%s: %v", name, text, shape, question, query, err)
						}
						asked++
					}
				}
				answers.Close()
			}
		}
	}
	if asked < 5000 {
		t.Errorf("only %d questions were asked", asked)
	}
}
