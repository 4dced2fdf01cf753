package terminal

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestPagerCommand(t *testing.T) {
	for env, want := range map[string][]string{"": {"less"}, "more -s": {"more", "-s"}, "cat": nil, " ": nil} {
		if got := pagerCommand(environment("PAGER", env)); !slices.Equal(got, want) {
			t.Errorf("PAGER=%q: %q, want %q", env, got, want)
		}
	}
}

// Text that fits on the screen is printed without a pager. Longer text goes through the pager as a whole, even if
// only wrapped lines make it longer. If the program does not exist everything is printed.
func TestPager(t *testing.T) {
	tr, err := exec.LookPath("tr")
	if err != nil {
		t.Skip(err)
	}
	short, long := strings.Repeat("a\n", 9), strings.Repeat("a\n", 1000)
	wide := strings.Repeat("a", 400)
	for _, test := range []struct{ name, command, text, want string }{
		{"short", tr, short, short},
		{"long", tr, long, strings.ReplaceAll(long, "a", "b")},
		{"wide", tr, wide, strings.ReplaceAll(wide, "a", "b")},
		{"no program", "/no/such/pager", long, long},
	} {
		var out bytes.Buffer
		p := &pager{out: &out, command: []string{test.command, "a", "b"}, width: 20, height: 10}
		for _, c := range []byte(test.text) {
			if _, err := p.Write([]byte{c}); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.close(); err != nil || out.String() != test.want {
			t.Errorf("%s: %q, %v", test.name, out.String(), err)
		}
	}
}

// A dumb terminal has no pager, whatever PAGER says.
func TestDumbTerminal(t *testing.T) {
	env := func(name string) string { return map[string]string{"TERM": "dumb", "PAGER": "less"}[name] }
	if got := pagerCommand(env); got != nil {
		t.Errorf("a dumb terminal has the pager %q", got)
	}
	if color, err := WantsColor("auto", true, env); color || err != nil {
		t.Errorf("a dumb terminal has colours: %v", err)
	}
}

// Only a less that knows --header is given it.
func TestHeaderArgs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell scripts")
	}
	for version, want := range map[string][]string{"less 643 (PCRE2 regular expressions)": {"--header=1"}, "less 590 (GNU)": nil, "busybox": nil} {
		less := filepath.Join(t.TempDir(), "less")
		if err := os.WriteFile(less, []byte("#!/bin/sh\necho '"+version+"'\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		if got := headerArgs(less, 1); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", version, got, want)
		}
		if got := headerArgs(less, 0); got != nil {
			t.Errorf("%s: %q for no header", version, got)
		}
	}
	if got := headerArgs("more", 1); got != nil {
		t.Errorf("more: %q", got)
	}
}
