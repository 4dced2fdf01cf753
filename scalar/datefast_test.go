package scalar

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
)

// TestPlainDates compares the short way of reading times with the one for all times: over each byte that a text may differ in, each
// day of years with and without a leap day, and every step.
func TestPlainDates(t *testing.T) {
	steps := []dtype.Step{{}, {Num: 0, Unit: dtype.Second}, {Num: -1, Unit: dtype.Second}}
	for u := dtype.Generic; u <= dtype.Attosecond; u++ {
		steps = append(steps, dtype.Step{Num: 1, Unit: u}, dtype.Step{Num: 7, Unit: u}, dtype.Step{Num: 1<<31 - 1, Unit: u})
	}
	plain := 0
	check := func(text string, steps []dtype.Step) {
		if _, ok := plainSeconds(text); ok {
			plain++
		}
		for _, step := range steps {
			got, exact, err := FloorDatetime64(text, step)
			want, wantExact, wantErr := floorDatetime64(text, step)
			if got != want || exact != wantExact || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%q in steps of %s: %d, %v, %v, want %d, %v, %v", text, step, got.Ticks, exact, err, want.Ticks, wantExact, wantErr)
			}
		}
	}
	for _, year := range []string{"0000", "0099", "0100", "1600", "1676", "1684", "1685", "1900", "1969", "1970", "2000", "2024", "2255", "2262", "9999"} {
		for month := range 14 {
			for _, day := range []int{0, 1, 28, 29, 30, 31, 32} {
				check(fmt.Sprintf("%s-%02d-%02d", year, month, day), steps)
				check(fmt.Sprintf("%s-%02d-%02dT23:59:59", year, month, day), steps)
			}
		}
	}
	for _, text := range []string{"2024-02-29", "1969-12-31T23:59", "2024-02-29 12:34:56"} {
		for i := range text {
			for c := range 256 {
				check(text[:i]+string([]byte{byte(c)})+text[i+1:], []dtype.Step{{Num: 1, Unit: dtype.Minute}})
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		text := []byte("1234-05-06 07:08:09")[:[]int{10, 16, 19, 13, 18}[random.IntN(5)]]
		for i := range text {
			if text[i] >= '0' && text[i] <= '9' {
				text[i] = byte('0' + random.IntN(10))
			} else if random.IntN(20) == 0 {
				text[i] = "-:T Z+."[random.IntN(7)]
			}
		}
		check(string(text), steps)
		check(strings.ToLower(string(text))+"Z", steps[:8])
	}
	if plain < 1000 {
		t.Errorf("only %d texts were read the short way", plain)
	}
}
