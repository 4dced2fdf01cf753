package pickle

import (
	"math/big"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/npygo/npy/pickle/internal/repr"
)

// Printed text is bounded and printable, however large, deep, shared or odd the value is.
func TestReprBounds(t *testing.T) {
	doubled := &List{}
	for range 100 {
		doubled = &List{Items: []any{doubled, doubled}}
	}
	deep := &List{}
	for range 1_000_000 {
		deep = &List{Items: []any{deep}}
	}
	zone := &Datetime{Year: 1, Month: 1, Day: 1}
	zone.TZ = zone
	huge := new(big.Int).Lsh(big.NewInt(1), 40_000_000)
	for _, test := range []struct {
		name    string
		printer Printer
		value   any
	}{
		{"doubled 100 times", Printer{}, doubled},
		{"a million lists deep", Printer{}, deep},
		{"a million lists deep, no limit", Printer{MaxDepth: -1}, deep},
		{"its own tzinfo", Printer{}, zone},
		{"huge int", Printer{}, huge},
		{"long str", Printer{MaxBytes: 10}, strings.Repeat("é\x00", 1<<20)},
		{"long bytes", Printer{MaxBytes: 10}, make([]byte, 1<<20)},
		{"names", Printer{}, &Global{Module: "\x1b[2J", Name: "\x9b\xff\n"}},
		{"keywords", Printer{}, &Object{Class: &Global{}, Kwargs: &Dict{pairs: []Pair{{"\x1b", "\x07"}}}}},
	} {
		got := test.printer.Repr(test.value)
		limit := test.printer.MaxBytes
		if limit == 0 {
			limit = defaultBytes
		}
		if len(got) > limit+len(repr.Ellipsis) || !utf8.ValidString(got) || strings.IndexFunc(got, unicode.IsControl) >= 0 {
			t.Errorf("%s: %d bytes: %.200q", test.name, len(got), got)
		}
	}
}

func TestReprOfObjects(t *testing.T) {
	class := &Global{Module: "project.models", Name: "Opaque"}
	self := &Object{Class: class, HasState: true}
	self.State = &Dict{pairs: []Pair{{"self", self}}}
	for _, test := range []struct {
		value any
		want  string
	}{
		{&Object{Class: class}, "project.models.Opaque()"},
		{&Object{Class: class, Args: &Tuple{Items: []any{int64(1), "x"}}}, "project.models.Opaque(1, 'x')"},
		{&Object{Class: class, How: NewObjEx, Args: &Tuple{Items: []any{int64(1)}}, Kwargs: &Dict{pairs: []Pair{{"k", 2}}}, Items: []any{3}, Pairs: []Pair{{"a", 4}}, State: "s", HasState: true},
			"project.models.Opaque(1, k=2; items=[3], pairs={'a': 4}, state='s')"},
		{self, "project.models.Opaque(state={'self': project.models.Opaque(...)})"},
		{&Object{Class: &Object{Class: &Global{Module: "builtins", Name: "getattr"}, Args: &Tuple{Items: []any{class, "new"}}}},
			"getattr(<class 'project.models.Opaque'>, 'new')()"},
		{&Global{Module: "numpy", Name: "add"}, "numpy.add"},
		{&Global{Module: "signal", Name: "SIGINT"}, "signal.SIGINT"},
		{&Global{Module: "typing", Name: "List"}, "typing.List"},
		{&Object{Class: &Global{Module: "http", Name: "HTTPStatus"}, Args: &Tuple{Items: []any{int64(404)}}}, "http.HTTPStatus(404)"},
		{&Object{Class: &Global{Module: "argparse", Name: "Namespace"}, How: NewObj, Args: &Tuple{}, State: &Dict{pairs: []Pair{{"lr", 0.1}}}, HasState: true}, "argparse.Namespace(state={'lr': 0.1})"},
		{big.NewFloat(1.5), "1.5"},
		{struct{}{}, "<struct {}>"},
		{uint8(3), "3"},
		{(*List)(nil), "<nil>"},
	} {
		if got := Repr(test.value); got != test.want {
			t.Errorf("Repr = %s, want %s", got, test.want)
		}
	}
}
