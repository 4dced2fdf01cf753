package pylit

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendRepr(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"plain", "<f8", "'<f8'"},
		{"empty", "", "''"},
		{"single quote", "it's", `"it's"`},
		{"both quotes", `'"`, `'\'"'`},
		{"double quote", `"`, `'"'`},
		{"controls", "\n\r\t\x00\x1f\x7f\\", `'\n\r\t\x00\x1f\x7f\\'`},
		{"Latin-1", "é\u0080\u00a0\u00ad", `'é\x80\xa0\xad'`},
		{"blanks", "\u2028\u3000\ufeff", `'\u2028\u3000\ufeff'`},
		{"astral", "😀\U0001D173\U0010FFFF", `'😀\U0001d173\U0010ffff'`},
		{"replacement character", "\ufffd", "'\ufffd'"},
		{"surrogates", "\xed\xa0\xbd\xed\xb8\x80", `'\ud83d\ude00'`},
		{"invalid UTF-8", "a\xff\xc3", `'a\udcff\udcc3'`},
		{"cut surrogate", "\xed\xa0", `'\udced\udca0'`},
	} {
		if got := string(AppendRepr([]byte("x"), test.in)); got != "x"+test.want {
			t.Errorf("%s: AppendRepr(%q) = %s, want x%s", test.name, test.in, got, test.want)
		}
	}
}

func TestReprCut(t *testing.T) {
	for _, test := range []struct {
		in    string
		limit int
		want  string
	}{
		{"(3.0,)", 6, "(3.0,)"},
		{"(3.0,)", 5, "(3.0,…"},
		{"'ééé'", 4, "'é…"},
		{"['ab', 'cd']", 1, "[…"},
		{"123456", 3, "123…"},
		{`'\ud800\ud800'`, 6, `'\ud80…`},
	} {
		v, err := Parse(test.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Repr(test.limit); got != test.want {
			t.Errorf("Repr(%d) of %s = %s, want %s", test.limit, test.in, got, test.want)
		}
		if got := string(v.AppendRepr([]byte("shape is ééé: "), test.limit)); got != "shape is ééé: "+test.want {
			t.Errorf("AppendRepr(…, %d) of %s = %s", test.limit, test.in, got)
		}
	}
}

// TestReprCutEverywhere checks that a cut repr is a prefix of the whole repr, for every limit.
func TestReprCutEverywhere(t *testing.T) {
	v, err := Parse(`{'é"\'😀': [b'\xff\'', 1.5, (2j,)], 'x\ud800😀😀': {1, 1e30}, 3: set()}`)
	if err != nil {
		t.Fatal(err)
	}
	whole := v.Repr(0)
	for limit := 1; limit < len(whole); limit++ {
		got, cut := strings.CutSuffix(v.Repr(limit), ellipsis)
		if !cut || len(got) > limit || len(got) < limit-3 || !strings.HasPrefix(whole, got) || !utf8.ValidString(got) {
			t.Errorf("Repr(%d) = %s, want the start of %s", limit, got, whole)
		}
	}
	if got := v.Repr(len(whole)); got != whole {
		t.Errorf("Repr(%d) = %s, want %s", len(whole), got, whole)
	}
}

// TestReprCutIsCheap checks that a message about a large value costs no more than the part that it shows.
func TestReprCutIsCheap(t *testing.T) {
	for _, text := range []string{
		"[" + strings.Repeat("1,", 100_000) + "]",
		"'" + strings.Repeat(`\x00`, 100_000) + "'",
		"b'" + strings.Repeat("a", 100_000) + "'",
	} {
		v, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if dst := v.AppendRepr(nil, 60); cap(dst) > 1024 {
			t.Errorf("Repr(60) of %.10s… took %d bytes", text, cap(dst))
		}
	}
}

func TestKindString(t *testing.T) {
	if got := None.String() + " " + Dict.String() + " " + Kind(99).String(); got != "NoneType dict invalid" {
		t.Errorf("names of kinds = %s", got)
	}
}
