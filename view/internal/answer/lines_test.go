package answer_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/view/internal/answer"
)

// Several lines are exported as the columns of one table.
func TestExportLines(t *testing.T) {
	a := answer.New([]answer.Input{input("m.npz", slice(t, []int8{1, 2, 3, 4, 5, 6}, 2, 3), slice(t, []float32{0.5, 1.5, 2.5}, 3), slice(t, []complex128{3 + 4i, 1i, 0, 2}, 4))})
	defer a.Close()
	one, two, three := "e=0&at=1,x&name=a", "e=1&at=x&name=a", "e=2&at=x&part=abs"
	query := func(lines ...string) url.Values {
		return url.Values{"as": {"npy"}, "x0": {"1"}, "x1": {"3"}, "lines": {strings.Join(lines, "~")}}
	}
	p := &paper{}
	if err := a.Answer(t.Context(), "export", query(one, two, three), p); err != nil {
		t.Fatal(err)
	}
	got, err := npy.Read(bytes.NewReader(p.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if text := (npy.Printer{}).Str(got); text != "[(5, 1.5, 1.), (6, 2.5, 0.)]" {
		t.Error(text)
	}
	for i, want := range []string{"a", "a_2", "m-a2"} {
		if name := got.DType().Field(i).Name; name != want {
			t.Errorf("field %d is %q, want %q", i, name, want)
		}
	}
	for _, lines := range [][]string{{"e=0&at=y,x", one}, {one, "e=9"}, {one, "%zz"}, {one, ""}, {strings.Repeat("~", 5000)}, {one, "e=1&at=x&name=%ff", "e=2"}} {
		if err := a.Answer(t.Context(), "export", query(lines...), &paper{}); err == nil || answer.Status(err) == 500 {
			t.Errorf("%.60q: %v", lines, err)
		}
	}
	q := query(one, three)
	q.Set("x1", "4")
	if err := a.Answer(t.Context(), "export", q, &paper{}); err == nil || !strings.Contains(err.Error(), "no rows in common") {
		t.Error(err)
	}
}
