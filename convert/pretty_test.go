package convert_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/pickle"
)

func TestPretty(t *testing.T) {
	records := mustRead(t, "name,x,n_1\n\"a|b*_\",0.5,1\n\"a & b\n{c}\\\",-12.25,300\n")
	grid := mustText(t, "1,22\n333,4\n")
	row := mustText(t, "1.5\n-2.0\n")
	for _, tt := range []struct {
		name   string
		a      *npy.Array
		md, tx string
	}{
		{"records", records, `
| name                | x      | n\_1 |
|---------------------|-------:|-----:|
| a\|b\*\_            |    0.5 |    1 |
| a &amp; b<br>{c}\\ | -12.25 |  300 |
`, ""},
		{"two dimensions", grid, `
|   0 |  1 |
|----:|---:|
|   1 | 22 |
| 333 |  4 |
`, `
\begin{tabular}{rr}
  1 & 22 \\
333 &  4 \\
\end{tabular}
`},
		{"one dimension", row, `
|    0 |
|-----:|
|  1.5 |
| -2.0 |
`, `
\begin{tabular}{r}
 1.5 \\
-2.0 \\
\end{tabular}
`},
		{"records of LaTeX", records, "", `
\begin{tabular}{lrr}
name                            &      x & n\_1 \\
\hline
a\textbar{}b*\_                 &    0.5 &    1 \\
a \& b \{c\}\textbackslash{} & -12.25 &  300 \\
\end{tabular}
`},
	} {
		for f, want := range map[convert.Format]string{convert.MD: tt.md, convert.TEX: tt.tx} {
			if want == "" {
				continue
			}
			got, err := write(f, tt.a, convert.WriteOptions{})
			if err != nil || spaces(got) != spaces(want[1:]) {
				t.Errorf("%s as %s: %v\n%s\nwant%s", tt.name, f, err, got, want)
			}
			if lines := strings.Split(got, "\n"); f == convert.MD && len([]rune(lines[0])) != len([]rune(lines[2])) {
				t.Errorf("%s: columns are not aligned:\n%s", tt.name, got)
			}
		}
	}
}

// spaces shortens each run of spaces or dashes to one.
func spaces(s string) string {
	for _, run := range []string{"  ", "--"} {
		for strings.Contains(s, run) {
			s = strings.ReplaceAll(s, run, run[:1])
		}
	}
	return s
}

func mustRead(t *testing.T, text string) *npy.Array {
	t.Helper()
	a, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.CSV, convert.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The padding for one long cell is limited, and tables of very many columns are rejected.
func TestPrettyHostile(t *testing.T) {
	long := mustText(t, strings.Repeat("x", 10_000)+"\n"+strings.Repeat("y\n", 200))
	got, err := write(convert.MD, long, convert.WriteOptions{})
	if err != nil || len(got) > 10_000+203*80 {
		t.Errorf("%d bytes of Markdown, %v", len(got), err)
	}
	wide := mustText(t, strings.Repeat("1,", 1<<16)+"1\n")
	if _, err := write(convert.TEX, wide, convert.WriteOptions{}); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("65537 columns: error %v", err)
	}
	if _, _, err := convert.Read(context.Background(), strings.NewReader("| a |"), convert.MD, convert.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "md cannot be read") {
		t.Errorf("Markdown is read: %v", err)
	}
}

// Objects are written in two passes, one for the widths and one for the text.
func TestPrettyObjects(t *testing.T) {
	a, err := npy.FromObjects([]any{"text", &pickle.Tuple{Items: []any{int64(1), nil}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := write(convert.MD, a, convert.WriteOptions{})
	if want := "| 0            |\n|--------------|\n| text         |\n| \\[1,null\\] |\n"; err != nil || spaces(got) != spaces(want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
