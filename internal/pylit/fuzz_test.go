package pylit

import (
	"errors"
	"strings"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, text := range handMade {
		f.Add(text, false)
	}
	for _, h := range hostile {
		f.Add(h.text(10), true)
	}
	f.Add(recordHeader, false)
	f.Fuzz(func(t *testing.T, text string, long bool) {
		v, err := Options{Long: long}.Parse(text)
		var e *Error
		if errors.As(err, &e) {
			if e.Offset < 0 || e.Offset > len(text) || len(e.Error()) > 200 {
				t.Fatalf("Parse(%q): %q at %d", text, e.Error(), e.Offset)
			}
			return
		}
		if err != nil {
			t.Fatalf("Parse(%q): %T, want *Error", text, err)
		}
		checkValue(t, text, v, long, 0, len(text))
		checkRepr(t, v)
	})
}

// checkValue checks that v lies between two offsets and that its source is the source of this value alone.
func checkValue(t *testing.T, text string, v Value, long bool, from, to int) {
	t.Helper()
	if v.Start < from || v.End > to || v.Start >= v.End {
		t.Fatalf("Parse(%q): a value from %d to %d, not within %d to %d", text, v.Start, v.End, from, to)
	}
	// In brackets, because strings may continue over lines within brackets.
	source := "(" + text[v.Start:v.End] + ")"
	again, err := Options{Long: long}.Parse(source)
	var e *Error
	if errors.As(err, &e) && e.Class == Limit {
		return // one bracket too many
	}
	if err != nil || again.Repr(0) != v.Repr(0) {
		t.Fatalf("Parse(%q): the source of %s is read as %s, %v", text, v.Repr(0), again.Repr(0), err)
	}
	from = v.Start
	for _, item := range v.Items {
		checkValue(t, text, item, long, from, v.End)
		from = item.End
	}
}

// checkRepr checks that the repr of v reads as v.
func checkRepr(t *testing.T, v Value) {
	t.Helper()
	repr := v.Repr(0)
	again, err := Parse(repr)
	if err != nil {
		var e *Error
		// Python prints inf and Ellipsis, but not as literals.
		if strings.Contains(repr, "inf") || strings.Contains(repr, "Ellipsis") || errors.As(err, &e) && e.Class == Limit {
			return
		}
		t.Fatalf("Parse(%q), a repr: %v", repr, err)
	}
	if v.Kind == String && again.Str != v.Str || v.Kind == Bytes && again.Str != v.Str || again.Kind != v.Kind {
		t.Fatalf("Parse(%q), a repr, = %q, want %q", repr, again.Str, v.Str)
	}
}
