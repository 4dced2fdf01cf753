package convert_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// TestLines reads tables with their lines and writes rows of them: they must be the same bytes, in any order.
func TestLines(t *testing.T) {
	random := rand.New(rand.NewPCG(oracle.Seed(t), 1))
	for range oracle.Cases(t, 400) {
		table, lines := tableOfLines(random)
		o := convert.ReadOptions{Table: convert.TableOptions{Lines: true, Records: true}, Header: convert.HeaderYes}
		a, report, err := convert.Read(t.Context(), strings.NewReader(table), convert.CSV, o)
		if err != nil {
			t.Fatalf("%q: %v", table, err)
		}
		if report.Lines == nil {
			t.Fatalf("%q: no lines", table)
		}
		order := random.Perm(len(lines) - 1)
		want := lines[0]
		for _, i := range order {
			want += lines[1+i]
		}
		rows, err := a.Slice(npy.List(order...))
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := convert.Write(t.Context(), &got, convert.CSV, rows, convert.WriteOptions{Lines: report.Lines}); err != nil {
			t.Fatal(err)
		}
		if got.String() != want {
			t.Fatalf("rows %v of %q are written as\n%q, want\n%q", order, table, &got, want)
		}
	}
}

// tableOfLines returns a table and its lines.
func tableOfLines(random *rand.Rand) (table string, lines []string) {
	cells := []string{"", "1", "1.50", " 2 ", "x", `"q"`, `"a,b"`, `"two` + "\n" + `lines"`, `"say ""no"""`, "NA", "1e3", "007"}
	end := []string{"\n", "\r\n"}[random.IntN(2)]
	width := 2 + random.IntN(3)
	for i := range 2 + random.IntN(20) {
		row := make([]string, width)
		for k := range row {
			if row[k] = fmt.Sprintf("name%d", k); i > 0 {
				row[k] = cells[random.IntN(len(cells))]
			}
		}
		lines = append(lines, strings.Join(row, ",")+end)
	}
	table = strings.Join(lines, "")
	if n := len(lines) - 1; random.IntN(3) == 0 { // the last line may lack its end
		table = strings.TrimSuffix(table, end)
		lines[n] = strings.TrimSuffix(lines[n], end) + "\n"
	}
	return table, lines
}

// TestLinesLeftOut reads tables that cannot have their lines, and writes lines where they do not belong.
func TestLinesLeftOut(t *testing.T) {
	asked := convert.TableOptions{Lines: true}
	long := "a,b\n1," + strings.Repeat(" ", 1<<17) + "2" + strings.Repeat("\n3,4", 100) + "\n"
	for name, x := range map[string]struct {
		text string
		o    convert.ReadOptions
	}{
		"not asked": {"a,b\n1,x\n", convert.ReadOptions{}},
		"no fields": {"1,2\n3,4\n", convert.ReadOptions{Table: asked}},
		"filled":    {"a,b\n1\n", convert.ReadOptions{Table: convert.TableOptions{Lines: true, Ragged: convert.RaggedFill}, Header: convert.HeaderYes}},
		"one long":  {long, convert.ReadOptions{Table: asked}},
	} {
		a, report, err := convert.Read(t.Context(), strings.NewReader(x.text), convert.CSV, x.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if report.Lines != nil || a.DType().IsStruct() && slices.ContainsFunc(a.DType().Fields(), isLine) {
			t.Errorf("%s: lines %v in %s", name, report.Lines, a.DType())
		}
	}

	a, report, err := convert.Read(t.Context(), strings.NewReader("a,b\n1,x\n"), convert.CSV, convert.ReadOptions{Table: asked})
	if err != nil || report.Lines == nil {
		t.Fatalf("%v, %v", report.Lines, err)
	}
	without, err := a.Slice(npy.NamedFields("b", convert.LineField))
	if err != nil {
		t.Fatal(err)
	}
	for want, try := range map[string]func() error{
		"column 0 is not \"a\"": func() error { return writeLines(t, without, convert.WriteOptions{Lines: report.Lines}) },
		"exclude each other":    func() error { return writeLines(t, a, convert.WriteOptions{Lines: report.Lines, EscapeFormulas: true}) },
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func writeLines(t *testing.T, a *npy.Array, o convert.WriteOptions) error {
	return convert.Write(t.Context(), new(bytes.Buffer), convert.CSV, a, o)
}

func isLine(f dtype.Field) bool { return f.Name == convert.LineField }
