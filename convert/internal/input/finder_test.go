package input

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// rowsOf lists the rows of a text, with their lines, by Row where it can read one and by Next.
func rowsOf(text string, r *Rules) (rows []string, quick int, err error) {
	s := NewScanner(Block{Text: text, Line: 1}, r)
	for s.More() {
		begin := s.Pos
		var row []string
		if ends, ok := s.Row(); ok {
			quick++
			for _, end := range ends {
				row = append(row, text[begin:end])
				begin = end + 1
			}
		} else {
			for last := false; !last; {
				var cell string
				if cell, last, err = s.Next(); err != nil {
					return rows, quick, err
				}
				row = append(row, cell)
			}
		}
		rows = append(rows, fmt.Sprintf("%d %d %d %q", s.Line, s.End, s.Pos, row))
	}
	return rows, quick, nil
}

// Row reads the cells that Next reads.
func TestRow(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"a", "12.5", ",", ",", ",", "\t", " ", "\n", "\n", "\r\n", "\r", `"`, `"x,y"`, "\"\n\"", `""`, "#", "é", "\x00", "\x80", "\x8c", "\xac", "\xff", strings.Repeat("long ", 15)}
	quick := 0
	for range 20_000 {
		some := slices.Clone(pieces)
		random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		some = some[:1+random.IntN(len(some))]
		var b strings.Builder
		for range random.IntN(60) {
			b.WriteString(some[random.IntN(len(some))])
		}
		r := TableRules(",\t \xac"[random.IntN(4)], "\x00\x00#"[random.IntN(3)], random.IntN(3) > 0)
		slow := *r
		slow.quick = false
		got, n, err := rowsOf(b.String(), r)
		want, _, wrong := rowsOf(b.String(), &slow)
		if !slices.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Fatalf("%q, delimiter %q:\n%q, %v\nwant\n%q, %v", b.String(), r.delim, got, err, want, wrong)
		}
		quick += n
	}
	if quick < 5000 {
		t.Errorf("Row read only %d rows", quick)
	}
}
