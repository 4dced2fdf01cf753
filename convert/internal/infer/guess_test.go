package infer

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/npygo/npy/convert/internal/options"
)

// The quick way to observe a time finds what the thorough way finds, whatever the cells before it were.
func TestObserveQuickly(t *testing.T) {
	cells := []string{
		"0", "-0", "7", "-7", "07", "+7", "-", ".", "-.", "1.", ".5", "-.5", "00.5", "1.2.3", "1-2", "--1", "1e3", "nan", "-inf", "", " ", " 5", "5 ",
		"123456789012345", "1234567890123456", "-12345678901234", "9223372036854775808", "-999", "NA", "true", "1j", "a", "é", "1,5",
		"2024-03-01", "2024-02-30", "2024-03-01T12:30", "2024-03-01 12:30:59", "2024-03-01T25:30", "2024-03-01T12:30Z", "2024-03-01T12+01:00", "2024-03-01T12:3Z",
		" 2024-03-01", "2024-03", "2024", "NaT", "31.12.2024", "2024/12/31", "-024-03-01", "2024-03-01T12:30:5Z",
	}
	r := rand.New(rand.NewPCG(1, 2))
	taken := map[string]int{}
	for _, o := range []options.Table{{}, {Missing: []string{"-999", "7", "2024-03-01"}}, {Dates: options.DayFirst}, {KeepZones: true}} {
		quick := NewCells(o)
		thorough := NewCells(o)
		if thorough.usual = false; !quick.usual {
			t.Fatalf("%+v: cells are not usual", o)
		}
		for range 20_000 {
			first := cells[r.IntN(len(cells))]
			a, b := Guess{Could: AnyCell, First: first}, Guess{Could: AnyCell, First: first}
			var column []string
			few := 1 + r.IntN(4) // different cells, so that the column keeps a kind
			from := r.IntN(len(cells))
			for line := range 1 + r.IntN(6) {
				cell := cells[(from+r.IntN(few))%len(cells)]
				column = append(column, cell)
				if before := a; a.Could == timeCell && !quick.IsMissing(cell) && before.observeTime(cell) {
					taken[cell]++
				}
				a.Observe(cell, line, quick)
				b.Observe(cell, line, thorough)
				if !reflect.DeepEqual(a, b) {
					t.Fatalf("%+v: column %q below %q: quickly %+v, want %+v", o, column, first, a, b)
				}
			}
		}
	}
	for _, cell := range []string{"2024-03-01", "2024-03-01T12:30", "2024-03-01 12:30:59"} {
		if taken[cell] == 0 {
			t.Errorf("%q is never observed quickly", cell)
		}
	}
}

func BenchmarkObserve(b *testing.B) {
	v := NewCells(options.Table{})
	for _, cell := range []string{"123456", "561.6", "2024-02-09 03:00:00", "station 68"} {
		b.Run(cell, func(b *testing.B) {
			g := NewGuess()
			for b.Loop() {
				g.Observe(cell, 1, v)
			}
		})
	}
}
