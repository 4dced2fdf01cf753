package dtype_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/dtype"
)

func FuzzParse(f *testing.F) {
	for _, text := range allSpellings() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typ, err := dtype.Parse(text)
		checkParsed(t, text, typ, err)
	})
}

func FuzzParseDescr(f *testing.F) {
	for _, text := range allDescrs() {
		f.Add(text)
	}
	for _, text := range vectorDescrs(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typ, err := dtype.ParseDescr(text)
		checkParsed(t, text, typ, err)
	})
}

// checkParsed checks a property of every text: an error points into the text; a type equals the parsed descr of itself.
func checkParsed(t *testing.T, text string, typ dtype.Type, err error) {
	t.Helper()
	if err != nil {
		e, ok := err.(*dtype.Error)
		if !ok || e.Offset < 0 || e.Offset > len(text) || typ.IsValid() {
			t.Fatalf("%q: got %v, %#v", text, typ, err)
		}
		if len(err.Error()) > 2000 {
			t.Fatalf("%q: the error has %d bytes", text, len(err.Error()))
		}
		return
	}
	if !typ.IsValid() || typ.ItemSize() < 0 || typ.Name() == "" {
		t.Fatalf("%q: got %s of %d bytes", text, typ, typ.ItemSize())
	}
	descr := typ.Descr()
	again, err := dtype.Parse(descr)
	if err != nil {
		t.Fatalf("%q: Parse(%q): %v", text, descr, err)
	}
	if again.ItemSize() != typ.ItemSize() {
		t.Fatalf("%q: %d bytes, Parse(%q): %d bytes", text, typ.ItemSize(), descr, again.ItemSize())
	}
	if !again.Equal(stored(typ)) || again.Descr() != stored(typ).Descr() {
		t.Fatalf("%q: Parse(%q) = %s", text, descr, again)
	}
	if twice := swap(swap(typ)); !twice.Equal(typ) {
		t.Fatalf("%q: %s with both orders swapped is %s", text, typ, twice)
	}
}

// vectorDescrs returns the descrs of the reference files as literals.
func vectorDescrs(t testing.TB) []string {
	t.Helper()
	var texts []string
	manifests, _ := filepath.Glob("../testdata/numpy-*/manifest.json")
	for _, name := range manifests {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var manifest struct {
			Files map[string]struct {
				Descr json.RawMessage
			}
		}
		if err := json.Unmarshal(data, &manifest); err != nil {
			t.Fatal(err)
		}
		for _, file := range manifest.Files {
			texts = append(texts, string(file.Descr)) // JSON has lists instead of tuples, which are valid as fields
		}
	}
	return texts
}

func TestVectorDescrs(t *testing.T) {
	texts := vectorDescrs(t)
	if len(texts) < 100 {
		t.Fatalf("%d descrs in the manifests", len(texts))
	}
	accepted := 0
	for _, text := range texts {
		typ, err := dtype.ParseDescr(text)
		checkParsed(t, text, typ, err)
		if err == nil {
			accepted++
		}
	}
	if accepted < len(texts)/2 {
		t.Errorf("%d of %d accepted", accepted, len(texts))
	}
}
