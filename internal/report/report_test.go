package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/internal/report"
)

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	const page = "# Page\n\n<!-- a -->\nold\n<!-- /a -->\n\nBetween.\n\n<!-- b -->\n<!-- /b -->\n"
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 { // a second time changes nothing
		for name, text := range map[string]string{"a": "one\n", "b": "two\n"} {
			if err := report.Write(path, name, text); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const want = "# Page\n\n<!-- a -->\n\none\n\n<!-- /a -->\n\nBetween.\n\n<!-- b -->\n\ntwo\n\n<!-- /b -->\n"
	if string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := report.Write(path, "c", "x"); err == nil {
		t.Error("a section that is not there was written")
	}
}
