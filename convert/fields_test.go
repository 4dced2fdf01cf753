package convert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// columnOfKind returns the cells of a column of one kind below its name, and sometimes a cell of another kind.
func columnOfKind(r *rand.Rand, rows int) []string {
	kinds := [][]string{
		{"1", "-7", "12", "0", "123456789012345678", " 5"},
		{"1.5", "-0.25", "1e3", "3", "inf", "0.1234567890123456789"},
		{"a", "b c", "é", `say ""hi""`, "x,y", "line\nbreak", "", strings.Repeat("long", 90)},
		{"2024-03-01", "2024-12-31", "99999999999999-01-01"},
		{"a", "\xff"},
		{"0.5", "5.", "-.5", "+1e5", "-0.0", "1e999", " 2.5", "2.5 ", "1.#IND", "-nan", strings.Repeat("1", 30) + ".5"},
		{"2024-03-01 12:30:59", "2023-01-02T03:04"},
		{"31.12.2024", "1.2.2023"},
		{"true", "false"},
		{"007", "12"},
		{"", "NA", "3", "4.5"},
		{"1+2j", "3"},
		{""},
	}
	kind := kinds[r.IntN(len(kinds))]
	cells := make([]string, rows)
	for i := range cells {
		cell := kind[r.IntN(len(kind))]
		if r.IntN(40) == 0 {
			other := kinds[r.IntN(len(kinds))]
			cell = other[r.IntN(len(other))]
		}
		if strings.ContainsAny(cell, "\",\n") || r.IntN(10) == 0 {
			cell = `"` + cell + `"`
		}
		cells[i] = cell
	}
	return cells
}

// namedTable returns the text of a table with a first row that may be names.
func namedTable(r *rand.Rand) string {
	columns, rows := 1+r.IntN(5), r.IntN(30)
	all := make([][]string, columns)
	for i := range all {
		all[i] = columnOfKind(r, rows)
	}
	var b strings.Builder
	names := []string{"id", "place", "mag", "depth", "time", "id", "", "2024", `"a,b"`, "é"}
	for row := -1; row < rows; row++ {
		cells := make([]string, columns)
		for i := range cells {
			if row >= 0 {
				cells[i] = all[i][row]
			} else {
				cells[i] = names[r.IntN(len(names))]
			}
		}
		if row < 0 && r.IntN(5) == 0 {
			continue // no names
		}
		if r.IntN(200) == 0 {
			cells = cells[1:]
		}
		if r.IntN(300) == 0 {
			cells = append(cells, `a"b`)
		}
		b.WriteString(strings.Join(cells, ",") + []string{"\n", "\r\n"}[r.IntN(20)/19])
	}
	return b.String()
}

// Reading some fields gives what reading the whole table and selecting them gives, and the same errors about rows.
func TestFieldsAreOfWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	ctx := context.Background()
	settled, third, failed := 0, 0, 0
	for range 3000 {
		text := namedTable(r)
		o := convert.ReadOptions{Header: convert.Header(r.IntN(6) % 3), Rows: r.IntN(5) % 2 * r.IntN(20)}
		o.Table.Ragged = convert.Ragged(r.IntN(5) % 3)
		o.Table.Records = r.IntN(4) == 0
		o.Table.Delimiter = ','
		whole, report, wrong := convert.Read(ctx, strings.NewReader(text), convert.CSV, o)
		o.Memory = 1 // the text is read again
		again, againReport, err := convert.Read(ctx, strings.NewReader(text), convert.CSV, o)
		if fmt.Sprint(err, againReport) != fmt.Sprint(wrong, report) || err == nil && !bytes.Equal(again.Bytes(), whole.Bytes()) {
			t.Fatalf("%q: with little memory\n%v, %v, want\n%v, %v", text, again, err, whole, wrong)
		}
		o.Memory = r.Int64N(2)
		var asked, wanted []string
		o.Fields = func(names []string) []string {
			asked = slices.Clone(names)
			wanted = nil
			for _, name := range names {
				if r.IntN(3) == 0 {
					wanted = append(wanted, name)
				}
			}
			return wanted
		}
		passes := 0
		some, someReport, err := convert.Read(ctx, &passCounter{strings.NewReader(text), &passes}, convert.CSV, o)
		if wrong != nil {
			failed++
			// only a cell that is not read can be wrong without an error
			if err == nil && len(wanted) == 0 {
				t.Fatalf("%q: no error, want %v", text, wrong)
			}
			if e := (*convert.Error)(nil); err == nil && errors.As(wrong, &e) && (strings.Contains(wrong.Error(), "RaggedSkip") || strings.Contains(wrong.Error(), "quote")) {
				t.Fatalf("%q: no error, want %v", text, wrong)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%q: fields %q: %v", text, wanted, err)
		}
		if someReport.Header != report.Header || someReport.Skipped != report.Skipped {
			t.Fatalf("%q: fields %q: report %+v, want %+v", text, wanted, someReport, report)
		}
		want := whole
		if report.Header && len(wanted) > 0 && whole.DType().IsStruct() {
			if len(asked) != whole.DType().NumField() {
				t.Fatalf("%q: asked for %q, the dtype is %s", text, asked, whole.DType())
			}
			var ordered []string
			for i := range whole.DType().NumField() {
				if name := whole.DType().Field(i).Name; slices.Contains(wanted, name) {
					ordered = append(ordered, name)
				}
			}
			want = selectPacked(t, whole, ordered)
			if passes > 1 || passes > 0 && o.Memory == 0 {
				third++
			} else {
				settled++
			}
		}
		if !some.DType().Equal(want.DType()) || !slices.Equal(some.Shape(), want.Shape()) || !bytes.Equal(some.Bytes(), want.Bytes()) {
			t.Fatalf("%q: fields %q of %+v:\n%s %v, want\n%s %v", text, wanted, o.Header, some.DType(), some, want.DType(), want)
		}
	}
	if settled < 250 || third < 5 || failed < 25 {
		t.Errorf("%d tables read in two passes, %d in three, %d with errors", settled, third, failed)
	}
}

// A passCounter counts the seeks to the start after the first, which begin the second and third pass.
type passCounter struct {
	*strings.Reader
	passes *int
}

func (p *passCounter) Seek(offset int64, whence int) (int64, error) {
	at, err := p.Reader.Seek(offset, whence)
	if at == 0 && whence == 0 {
		*p.passes++
	}
	return at, err
}

// selectPacked returns records with some fields of others, without padding.
func selectPacked(t *testing.T, a *npy.Array, names []string) *npy.Array {
	t.Helper()
	part, err := a.Select(npy.NamedFields(names...))
	if err != nil {
		t.Fatal(err)
	}
	array, err := part.ReadAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	packed, err := dtype.Packed(array.DType().Fields()...)
	if err != nil {
		t.Fatal(err)
	}
	out, err := array.AsType(packed)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func only(names ...string) func([]string) []string {
	return func([]string) []string { return names }
}

// What Fields does with names, errors, notes and lines.
func TestFields(t *testing.T) {
	ctx := t.Context()
	const leading = `column "zip" remains text: line 2: "01234": the leading zero would be lost; give a dtype`
	const quakes = "zip,place,mag,time\n01234,Kobe,5.5,2024-03-01\n00001,Lima,4,2024-03-02\n"
	read := func(text string, fields func([]string) []string, o convert.TableOptions) (*npy.Array, convert.Report, error) {
		// a pipe: the passes after the first read the kept text
		return convert.Read(ctx, iotest.OneByteReader(strings.NewReader(text)), convert.CSV, convert.ReadOptions{Fields: fields, Table: o})
	}
	for _, c := range []struct {
		text   string
		fields func([]string) []string
		o      convert.TableOptions
		want   string // the array and the notes, or the error
	}{
		{quakes, only("mag", "place"), convert.TableOptions{}, "place mag 'Kobe' 5.5 'Lima' 4."},
		{quakes, only("time"), convert.TableOptions{}, "time 2024-03-01 2024-03-02"},
		{quakes, only("zip"), convert.TableOptions{}, "zip '01234' '00001' " + leading},
		{quakes, only(), convert.TableOptions{}, "zip place mag time '01234' 'Kobe' 5.5 2024-03-01 '00001' 'Lima' 4. 2024-03-02 " + leading},
		{quakes, only("mag", "nag"), convert.TableOptions{}, `convert: no column is called "nag"; the columns are "zip", "place", "mag", "time"`},
		// given dtypes of columns that are not read have no errors, but must be of a column
		{quakes, only("mag"), convert.TableOptions{Columns: map[string]dtype.Type{"place": dtype.Int64}}, "mag 5.5 4."},
		{quakes, only("mag"), convert.TableOptions{Columns: map[string]dtype.Type{"plaice": dtype.Int64}}, `convert: no column is called "plaice"; the columns are "zip", "place", "mag", "time"`},
		{quakes, only("mag"), convert.TableOptions{Columns: map[string]dtype.Type{"mag": dtype.Float32}}, "mag 5.5 4."},
		// rows
		{quakes + "1,x,2\n", only("mag"), convert.TableOptions{}, "line 4: 3 cells, want 4 as in line 1; RaggedFill fills such rows with missing values, RaggedSkip drops them"},
		{quakes + "1,x,2,3,4\n", only("mag"), convert.TableOptions{}, "line 4: 5 cells, want 4 as in line 1; RaggedSkip drops such rows"},
		{quakes + "1,x\"y,2,3\n", only("mag"), convert.TableOptions{}, "line 4, column 2: quote within a cell without quotes: put the cell in quotes and write \"\" for each in it"},
		{quakes + "1,\"x\",2,\"3\n", only("mag"), convert.TableOptions{}, "line 4, column 4: the quote is not closed"},
		{quakes + "1,\xff,2,3\n", only("mag"), convert.TableOptions{}, "mag 5.5 4. 2."},
		{quakes + "1,x\n", only("mag"), convert.TableOptions{Ragged: convert.RaggedFill}, "mag 5.5 4. nan"},
		// tables without names are read whole
		{"1,2\n3,4\n", only("f0"), convert.TableOptions{}, "[[1 2] [3 4]]"},
		{"1,a\n3,b\n", only("f0"), convert.TableOptions{}, "f0 f1 1 'a' 3 'b'"},
		// text alone: the column b recurs, so that there are no names
		{"a,b\nc,b\n", only("a"), convert.TableOptions{}, "[['a' 'b'] ['c' 'b']]"},
		{"a,b\nc,d\n", only("a"), convert.TableOptions{}, "a 'c'"},
		// the second row speaks for names, a later one against it
		{"a,b\nc,1\nd,x\ne,b\n", only("a"), convert.TableOptions{}, "[['a' 'b'] ['c' '1'] ['d' 'x'] ['e' 'b']]"},
		{"a,b\n", only("a"), convert.TableOptions{}, "a"},
	} {
		a, report, err := read(c.text, c.fields, c.o)
		got := fmt.Sprint(err)
		if err == nil {
			got = strings.Join(append(strings.Fields(a.String()), report.Notes...), " ")
		}
		if got != c.want {
			t.Errorf("%q, fields %q:\n%s\nwant\n%s", c.text, c.fields(nil), got, c.want)
		}
	}
	_, _, err := convert.Read(ctx, strings.NewReader(quakes), convert.CSV, convert.ReadOptions{DType: dtype.Float64, Fields: only("mag")})
	if err == nil {
		t.Error("a dtype and fields are no error")
	}

	a, report, err := read(quakes, only("mag"), convert.TableOptions{Lines: true})
	if err != nil || report.Lines == nil || fmt.Sprint(report.Unread) != "[zip place time]" || !strings.HasSuffix(report.String(), ", 3 columns not read") || a.DType().NumField() != 2 || report.Lines.Header != "zip,place,mag,time\n" {
		t.Errorf("lines: %v, report %+v, %v", a, report, err)
	}
	long := quakes + "1," + strings.Repeat("x", 100_000) + ",2,2024-01-01\n" + strings.Repeat("1,x,2,2024-01-01\n", 100)
	a, report, err = read(long, only("mag"), convert.TableOptions{Lines: true})
	if err != nil || report.Lines != nil || a.DType().NumField() != 4 || report.Unread != nil {
		t.Errorf("a long line: dtype %s, report %+v, %v", a.DType(), report, err)
	}
}
